//! The age of unacknowledged deliveries is there when somebody asks for it, also of a queue whose
//! messages cannot come back (rule H1).

use queuecast::experiment::conduct;
use queuecast::model::Model;
use queuecast::outcome::{Kind, Moment};
use queuecast::sim::Detail;

use crate::readings::model;

const SLOW: &str = r#"
[run]
stop = "20s"

[producers.p]
queue    = "q"
count    = 1
arrivals = { constant = { rate = "1/s", offset = "2s" } }

[queues.q]

[consumers.c]
queue   = "q"
service = "10s"
"#;

const ALERT: &str = "[[alerts]]\nwhen = \"queues.q.unacked_age > 3s\"\n";
const EXPECT: &str = "[[expect]]\nthat = \"queues.q.unacked_age.max == 10s\"\n";

fn oldest(model: &Model) -> Option<f64> {
    let experiment = conduct(model, Detail::Measures, &|_| {});
    experiment.measures.value("queues.q.unacked_age.max")
}

#[test]
fn h1_an_alert_on_the_age_of_unacknowledged_deliveries_fires_and_clears() {
    for queue in ["", "delivery.visibility_timeout = \"1m\"\n"] {
        let text = SLOW.replace("[queues.q]\n", &format!("[queues.q]\n{queue}")) + ALERT;
        let experiment = conduct(&model(&text, &[]), Detail::Measures, &|_| {});
        let moments = experiment.runs[0].timeline.iter();
        let alerts: Vec<_> = moments
            .filter_map(|Moment { at, kind, .. }| {
                if let Kind::AlertFired { value } = kind {
                    Some((at.as_secs_f64(), *value))
                } else if let Kind::AlertCleared { value } = kind {
                    Some((at.as_secs_f64(), -value))
                } else {
                    None
                }
            })
            .collect();
        // Out from 2 s to 12 s: above 3 s is first seen at 6 s, and the end at 12 s.
        assert_eq!(alerts, [(6.0, 4.0), (12.0, -0.0)], "{queue}");
    }
}

#[test]
fn h1_a_plain_queue_keeps_the_age_of_deliveries_when_it_is_asked() {
    assert_eq!(oldest(&model(SLOW, &[])), None);
    for asked in [ALERT, EXPECT] {
        let text = SLOW.to_owned() + asked;
        assert_eq!(oldest(&model(&text, &[])), Some(10.0), "{asked}");
    }
}
