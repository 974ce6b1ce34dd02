//! The deliveries of a queue in words, as far as they are not plain.
//!
//! Not its bounds and its order.

use crate::model::{
    AckTimeout, CallLimits, Counted, DeadLetter, Delivery, Dispatch, Grouping, LateAck, Model,
    Redelivery, Redrive, RedriveIdentity, ReturnKinds, ReturnLimit, Visibility,
};
use crate::units::Rate;

/// A phrase for each part that is not plain.
pub(super) fn phrases(delivery: &Delivery, model: &Model) -> Vec<String> {
    let mut phrases = Vec::new();
    if delivery.grouping == Grouping::ByKey {
        phrases.push("one message of a key at a time".to_owned());
    }
    if let Redelivery::Visibility(visibility) = delivery.redelivery {
        phrases.push(self::visibility(visibility, delivery.late_ack));
    }
    let limits = [
        delivery.max_receives.map(|most| format!("{most} receives")),
        delivery.return_limit.map(returns),
    ];
    let limits: Vec<_> = limits.into_iter().flatten().collect();
    let then = fate(delivery.dead_letter, model);
    if limits.is_empty() {
        phrases.extend(delivery.dead_letter.map(|_| then));
    } else {
        phrases.push(format!("at most {}, then {then}", limits.join(" and ")));
    }
    phrases.extend(delivery.ack_timeout.map(|AckTimeout { limit, check }| {
        format!("closes consumers that do not acknowledge in {limit}, looked at every {check}")
    }));
    let in_flight = delivery.max_in_flight;
    phrases.extend(in_flight.map(|most| format!("at most {most} in flight")));
    if delivery.dispatch == Dispatch::Greedy {
        phrases.push("fills one consumer before the next".to_owned());
    }
    let window = delivery.dedup_window;
    phrases.extend(window.map(|window| format!("drops duplicates for {window}")));
    phrases.extend(calls(&delivery.calls));
    phrases.extend(delivery.redrive.map(|it| redrive(it, model)));
    phrases
}

fn visibility(visibility: Visibility, late_ack: LateAck) -> String {
    let Visibility {
        timeout,
        heartbeat,
        at_most,
        sweep,
    } = visibility;
    let beats = heartbeat.map(|every| format!(", heartbeat {every} for at most {at_most}"));
    let sweep = sweep.map(|every| format!(", looked at every {every}"));
    let late = match late_ack {
        LateAck::Honoured => "",
        LateAck::Refused => ", late acknowledgements refused",
    };
    let more = [beats, sweep].into_iter().flatten().collect::<String>();
    format!("visibility {timeout}{more}{late}")
}

fn returns(limit: ReturnLimit) -> String {
    let ReturnLimit { returns, counts } = limit;
    if counts == ReturnKinds::ALL {
        return format!("{returns} returns");
    }
    let kinds = [
        (counts.failure, "failure"),
        (counts.crash, "crash"),
        (counts.timeout, "timeout"),
        (counts.lapse, "lapse"),
    ];
    let counted = kinds.into_iter().filter(|(is, _)| *is == Counted::Yes);
    let counted: Vec<_> = counted.map(|(_, kind)| kind).collect();
    format!("{returns} returns by {}", counted.join(" or "))
}

/// Where messages go that nobody could work on.
fn fate(dead_letter: Option<DeadLetter>, model: &Model) -> String {
    let Some(DeadLetter {
        queue,
        expired,
        dropped,
    }) = dead_letter
    else {
        return "dropped".to_owned();
    };
    let mut also = Vec::new();
    if expired == Counted::Yes {
        also.push("expired");
    }
    if dropped == Counted::Yes {
        also.push("dropped");
    }
    let also = match also[..] {
        [] => String::new(),
        [..] => format!(", {} ones too", also.join(" and ")),
    };
    format!("dead letters to {}{also}", model.queues[queue].name)
}

fn calls(calls: &CallLimits) -> Option<String> {
    let kinds = [
        ("sends", calls.send),
        ("receives", calls.receive),
        ("deletes", calls.delete),
    ];
    let limit = |(kind, rate): (&str, Option<Rate>)| rate.map(|rate| format!("{kind} {rate}"));
    let limits: Vec<_> = kinds.into_iter().filter_map(limit).collect();
    (!limits.is_empty()).then(|| format!("limits calls: {}", limits.join(", ")))
}

fn redrive(redrive: Redrive, model: &Model) -> String {
    let identity = match redrive.identity {
        RedriveIdentity::New => "new messages",
        RedriveIdentity::Same => "the same messages",
    };
    let to = &model.queues[redrive.to].name;
    format!(
        "moved to {to} from {} at {}, as {identity}",
        redrive.at, redrive.rate
    )
}
