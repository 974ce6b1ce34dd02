//! The timeline as sentences: `t+83.3s  orders reached its bound of 100,000`.
//!
//! Not the moments themselves: the run recorded those, and `--format json` carries their words.

use std::fmt::Write;

use super::names::Names;
use super::number::{count, counted, plain, seconds};
use super::spells::Spells;
use crate::model::{Model, Signal, Who};
use crate::outcome::{Kind, Moment, Often, Repeated, RunRecord, Subject, Unit, Why};
use crate::units::{Bytes, SimTime};

/// The moments of a run, a line each, their instants aligned.
pub fn timeline(model: &Model, record: &RunRecord) -> String {
    let lines = lines(model, record);
    let width = lines.iter().map(|(at, _)| at.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (at, sentence) in lines {
        let _ = writeln!(text, "{at:>width$}  {sentence}");
    }
    text
}

/// The instants of the moments of a run, and what happened.
pub(super) fn lines(model: &Model, record: &RunRecord) -> Vec<(String, String)> {
    let names = Names::of(model);
    let clock = Clock::reaching(record.ended.at);
    let line = |moment: &Moment| {
        let at = clock.show(moment.at);
        (at, sentence(model, &names, record, moment))
    };
    record.timeline.iter().map(line).collect()
}

/// How the instants of one run are written, all alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    decimals: usize,
    parts: Parts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parts {
    Seconds,
    Hours,
    Days,
}

impl Clock {
    /// The clock for a run that ends at `end`: tenths of a second, or finer for a run of less
    /// than a minute; hours for one of more than two, days for more than two of those.
    pub(super) fn reaching(end: SimTime) -> Self {
        let end = end.as_secs_f64();
        let fine_enough = |decimals: &usize| end * 10_f64.powi(*decimals as i32) >= 600.0;
        let parts = match end {
            _ if end > 172_800.0 => Parts::Days,
            _ if end > 7_200.0 => Parts::Hours,
            _ => Parts::Seconds,
        };
        Self {
            decimals: (1..9).find(fine_enough).unwrap_or(9),
            parts,
        }
    }

    /// An instant: `t+83.3s`.
    pub(super) fn show(self, at: SimTime) -> String {
        let decimals = self.decimals;
        let unit = 10_u128.pow(9 - decimals as u32);
        let ticks = (u128::from(at.as_nanos()) + unit / 2) / unit;
        let per_second = 10_u128.pow(decimals as u32);
        let (whole, part) = (ticks / per_second, ticks % per_second);
        let (minutes, hours) = (whole / 60 % 60, whole / 3_600);
        let second = whole % 60;
        match self.parts {
            Parts::Seconds => format!("t+{whole}.{part:0decimals$}s"),
            Parts::Hours => format!("t+{hours}h{minutes:02}m{second:02}.{part:0decimals$}s"),
            Parts::Days => {
                let (days, hours) = (hours / 24, hours % 24);
                format!("t+{days}d{hours:02}h{minutes:02}m{second:02}.{part:0decimals$}s")
            }
        }
    }
}

/// What happened, in a sentence.
#[expect(
    clippy::too_many_lines,
    reason = "a table: one arm a kind of moment, and the compiler asks about each"
)]
pub(super) fn sentence(
    model: &Model,
    names: &Names,
    record: &RunRecord,
    moment: &Moment,
) -> String {
    let who = names.subject(moment.subject);
    let messages = |number| counted(number, "message");
    match moment.kind {
        Kind::OutageStarted { handlers, of } if handlers == of => {
            format!("{who} stopped: all {} down", counted(of.into(), "handler"))
        }
        Kind::OutageStarted { handlers, of } => {
            format!(
                "{who} lost {handlers} of its {}",
                counted(of.into(), "handler")
            )
        }
        Kind::OutageEnded { handlers, waiting } => {
            let handlers = counted(handlers.into(), "handler");
            format!(
                "{who} is back: {handlers} up, {} waiting",
                messages(waiting)
            )
        }
        Kind::Scaled { from, to } if from == to => {
            format!("{who} stays at {}", counted(to.into(), "consumer"))
        }
        Kind::Scaled { from, to } => {
            let verb = if from < to { "grew" } else { "shrank" };
            format!(
                "{who} {verb} from {from} to {}",
                counted(to.into(), "consumer")
            )
        }
        Kind::Resized { from, to, took } => {
            let verb = if from < to { "grows" } else { "shrinks" };
            let to = counted(to.into(), "consumer");
            if took.is_zero() {
                format!("{who} {verb} from {from} to {to}")
            } else {
                format!("{who} {verb} from {from} to {to} in {took}")
            }
        }
        Kind::QueueFull { depth } => queue_full(model, who, moment.subject, depth),
        Kind::RoomAgain { depth } => format!(
            "{who}: a tenth of its bound is free again, {} waiting",
            messages(depth)
        ),
        Kind::LastRejected { total } if moment.at == record.ended.at => {
            format!(
                "{who}: publishes refused to the end, {} in all",
                count(total)
            )
        }
        Kind::FirstRejected => format!("{who}: first publish refused"),
        Kind::LastRejected { total } => {
            format!("{who}: last publish refused, {} in all", count(total))
        }
        Kind::FirstBlocked => format!("{who}: first publisher blocked"),
        Kind::Unblocked { most, longest } => {
            let longest = seconds(longest.as_secs_f64());
            let most = count(most);
            format!("{who}: nobody blocked any more; at most {most} at once, longest {longest}")
        }
        Kind::FirstTimedOut => format!("{who}: first blocked publish timed out"),
        Kind::LastTimedOut { total } => {
            format!("{who}: last publish timed out, {} in all", count(total))
        }
        Kind::LastDropped { total } if moment.at == record.ended.at => {
            format!(
                "{who}: messages dropped to the end, {} in all",
                count(total)
            )
        }
        Kind::LastDropped { total } => {
            format!("{who}: last message dropped, {} in all", count(total))
        }
        Kind::FirstDropped => format!("{who}: first message dropped"),
        Kind::FirstExpired => format!("{who}: first message expired"),
        Kind::First(it) => {
            let spells = Spells::of(record, moment.subject, Often::Of(it));
            match spells.again(moment.at) {
                Some(all) => format!("{who}: {} again, after a pause{all}", repeated(it)),
                None => format!("{who}: first {}", repeated(it)),
            }
        }
        Kind::Last { of, total } => {
            let spells = Spells::of(record, moment.subject, Often::Of(of));
            let (since, all) = spells.told(moment.at);
            let all = match (since.as_str(), all.as_str()) {
                ("", "") => format!("{} in all", count(total)),
                (since, all) => format!("{}{since}{all}", count(total)),
            };
            format!("{who}: last {}, {all}", repeated(of))
        }
        Kind::ConsumerCrashed { consumer, held } => format!(
            "{who}: consumer {} crashed, with {} in its hands",
            consumer + 1,
            messages(held.into())
        ),
        Kind::LastConsumerCrashed { total, held } => {
            let spells = Spells::of(record, moment.subject, Often::Crashed);
            let (since, all) = spells.told(moment.at);
            let (total, held) = (count(total), messages(held));
            format!("{who}: last of {total} crashes{since}, with {held} in their hands{all}")
        }
        Kind::ConsumerBack { consumer } => format!("{who}: consumer {} is back", consumer + 1),
        Kind::LastConsumerBack { total } => {
            let (since, all) = Spells::of(record, moment.subject, Often::Back).told(moment.at);
            let total = count(total);
            format!("{who}: last of {total} consumers is back{since}{all}")
        }
        Kind::ChannelClosed { consumer, held } => format!(
            "{who}: channel of consumer {} closed, with {} unacknowledged",
            consumer + 1,
            messages(held.into())
        ),
        Kind::LastChannelClosed { total, held } => {
            let (since, all) = Spells::of(record, moment.subject, Often::Closed).told(moment.at);
            let (total, held) = (count(total), messages(held));
            format!(
                "{who}: last of {total} channels closed{since}, with {held} unacknowledged{all}"
            )
        }
        Kind::MoreEpisodes {
            of,
            episodes,
            total,
        } => {
            let what = match of {
                Often::Of(it) => repeated(it),
                Often::Crashed => "consumer crashed",
                Often::Back => "consumer back",
                Often::Closed => "channel closed",
            };
            let (episodes, total) = (counted(episodes, "more episode"), count(total));
            format!("{who}: {what}, in {episodes} up to here, {total} in them")
        }
        Kind::RedriveStarted { waiting } => {
            format!("{who}: redrive started, {} waiting", messages(waiting))
        }
        Kind::RedriveEnded { moved } => {
            format!("{who}: redrive ended, {} moved back", messages(moved))
        }
        Kind::BrokerCrashed { lost } => {
            format!("the broker of {who} went down and lost {}", messages(lost))
        }
        Kind::BrokerBack => format!("the broker of {who} is back"),
        Kind::MemoryFull { bytes } => {
            format!(
                "{who} reached its memory limit: {} held, publishers blocked",
                Bytes(bytes)
            )
        }
        Kind::Drained => format!("{who} drained: no message waits"),
        Kind::Burst { messages: many } => format!("{who} published {} at once", messages(many)),
        Kind::AlertFired { value } => {
            format!(
                "alert {who} fired: {}",
                reading(model, names, moment.subject, value)
            )
        }
        Kind::AlertCleared { value } => {
            format!(
                "alert {who} cleared: {}",
                reading(model, names, moment.subject, value)
            )
        }
        Kind::TroubleStarted {
            servers,
            of,
            slowdown,
        } => trouble(who, servers, of, slowdown),
        Kind::TroubleEnded { servers, waiting } => {
            let waiting = counted(waiting, "call");
            match servers {
                0 => format!("{who} is no longer slow: {waiting} waiting"),
                _ => format!(
                    "{who} is back: {} up, {waiting} waiting",
                    counted(servers.into(), "server")
                ),
            }
        }
        Kind::Recovered => format!("{who}: goodput is back, and stays"),
        Kind::WarmedUp => {
            "statistics start here; this timeline counts from its beginning".to_owned()
        }
        Kind::Ended { unfinished } => ended(record.ended.why, unfinished, open(model, record)),
    }
}

/// What happens again and again, in words that follow `first` and `last`.
fn repeated(what: Repeated) -> &'static str {
    match what {
        Repeated::DeadLetter => "dead letter",
        Repeated::Lapse => "visibility timeout lapsed",
        Repeated::Duplicate => "message done once more",
        Repeated::DuplicateEffect => "duplicate effect",
        Repeated::Skipped => "attempt skipped as already acted on",
        Repeated::Undone => "message ended with its work undone",
        Repeated::Overlap => "attempt begun while another works on the same message",
        Repeated::AckLost => "acknowledgement lost",
        Repeated::AckRefused => "acknowledgement refused as too late",
        Repeated::Throttled => "message or call throttled",
        Repeated::RetryRefused => "retry refused by its budget",
        Repeated::CallTimedOut => "call timed out",
        Repeated::CallRefused => "call refused",
        Repeated::NotCalled => "attempt without a call",
        Repeated::BreakerOpened => "breaker opened",
        Repeated::BreakerHalfOpen => "breaker half open",
        Repeated::BreakerClosed => "breaker closed",
    }
}

/// What is wrong with a dependency.
fn trouble(who: &str, servers: u32, of: u32, slowdown: f64) -> String {
    let slow = slowdown.total_cmp(&1.0).is_ne();
    let all = counted(of.into(), "server");
    match (servers, slow) {
        (0, _) => format!("{who} became slow: calls take {slowdown} times as long"),
        (_, true) => {
            format!("{who} lost {servers} of its {all}, and calls take {slowdown} times as long")
        }
        _ if servers == of => format!("{who} stopped: all {all} down"),
        _ => format!("{who} lost {servers} of its {all}"),
    }
}

/// The bound that was reached; what waits is said too where the bound counts more than that.
fn queue_full(model: &Model, who: &str, subject: Subject, depth: u64) -> String {
    let bound = match subject {
        Subject::Queue(id) => model.queues[id].capacity,
        Subject::Run
        | Subject::Producer(_)
        | Subject::Fleet(_)
        | Subject::Dependency(_)
        | Subject::Caller(_)
        | Subject::Alert(_) => depth,
    };
    let waiting = if depth == bound {
        String::new()
    } else {
        format!(", {} waiting", count(depth))
    };
    format!("{who} reached its bound of {}{waiting}", count(bound))
}

/// What an alert read: `queues.orders.depth > 1000 holds, depth of orders 1,001`.
fn reading(model: &Model, names: &Names, subject: Subject, value: f64) -> String {
    let Subject::Alert(place) = subject else {
        return plain(value, Unit::Number);
    };
    let alert = &model.alerts[place];
    let (what, unit, name) = match alert.signal {
        Signal::Depth(id) => ("depth", Unit::Count, &model.queues[id].name),
        Signal::Lag(id) => ("lag", Unit::Seconds, &model.queues[id].name),
        Signal::InFlight(id) => ("in flight", Unit::Count, &model.queues[id].name),
        Signal::UnackedAge(id) => ("unacked age", Unit::Seconds, &model.queues[id].name),
        Signal::Delayed(id) => ("delayed", Unit::Count, &model.queues[id].name),
        Signal::Memory(id) => ("memory", Unit::Bytes, &model.queues[id].name),
        Signal::BlockedAt(id) => ("blocked", Unit::Count, &model.queues[id].name),
        Signal::Blocked(id) => ("blocked", Unit::Count, &model.producers[id].name),
        Signal::Busy(id) => ("busy", Unit::Count, &model.fleets[id].name),
        Signal::Count(flow, id) => (flow.name(), Unit::Count, &model.queues[id].name),
    };
    format!(
        "{} {what} {} ({})",
        names.short(name),
        plain(value, unit),
        alert.text
    )
}

/// Requests of producers under way at the end: what is unfinished of them is no message.
fn open(model: &Model, record: &RunRecord) -> u64 {
    let ledgers = model.callers.iter().zip(&record.caller_ledgers);
    let inline = ledgers.filter(|(caller, _)| matches!(caller.who, Who::Producer(_)));
    inline.map(|(_, ledger)| ledger.open).sum()
}

fn ended(why: Why, unfinished: u64, open: u64) -> String {
    let how = match why {
        Why::Drained => "drained".to_owned(),
        Why::Settled => "settled".to_owned(),
        Why::Duration => "its time is over".to_owned(),
        Why::Horizon | Why::MessageLimit | Why::EventLimit => {
            format!("STOPPED by {}", why.stopper())
        }
    };
    let left = [
        (unfinished.saturating_sub(open), "message"),
        (open, "request"),
    ];
    let left = left.into_iter().filter(|(many, _)| *many > 0);
    let left: Vec<String> = left.map(|(many, of)| counted(many, of)).collect();
    let left = match left.as_slice() {
        [] => "nothing".to_owned(),
        [_, ..] => left.join(" and "),
    };
    format!("the run ended: {how}, {left} unfinished")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;
    use crate::units::SimDuration;

    #[test]
    fn tells_what_happened() {
        let (model, runs) = fixture::outage();
        insta::assert_snapshot!(timeline(&model, &runs[0]));
    }

    #[test]
    fn every_kind_has_its_sentence() {
        let (model, mut runs) = fixture::outage();
        runs[0].timeline = fixture::every_moment();
        insta::assert_snapshot!(timeline(&model, &runs[0]));
    }

    #[test]
    fn what_comes_in_spells_is_counted_by_spell_and_in_all() {
        let (model, mut runs) = fixture::outage();
        let who = Subject::Queue(crate::model::Id::at(0));
        let of = Repeated::Lapse;
        let at = |seconds, kind| Moment {
            at: SimTime::ZERO + SimDuration::from_secs(seconds),
            subject: who,
            kind,
        };
        let last = |total| Kind::Last { of, total };
        runs[0].timeline = vec![at(1, Kind::First(of)), at(2, last(138))];
        let one = timeline(&model, &runs[0]);
        assert!(one.contains("lapsed, 138 in all"), "{one}");
        runs[0]
            .timeline
            .extend([at(9, Kind::First(of)), at(10, last(55))]);
        let two = timeline(&model, &runs[0]);
        for told in [
            "first visibility timeout lapsed\n",
            "lapsed, 138 since t+1.0s\n",
            "visibility timeout lapsed again, after a pause\n",
            "lapsed, 55 since t+9.0s, 193 in all\n",
        ] {
            assert!(two.contains(told), "{told}\n{two}");
        }
    }

    #[test]
    fn a_spell_of_one_counts_in_all() {
        let (model, mut runs) = fixture::outage();
        let at = |seconds, kind| Moment {
            at: SimTime::ZERO + SimDuration::from_secs(seconds),
            subject: Subject::Fleet(crate::model::Id::at(0)),
            kind,
        };
        let crash = |consumer| Kind::ConsumerCrashed { consumer, held: 1 };
        let (total, held) = (202, 149);
        let last = Kind::LastConsumerCrashed { total, held };
        runs[0].timeline = vec![at(1, crash(15)), at(60, crash(16)), at(90, last)];
        let told = timeline(&model, &runs[0]);
        let sum = "last of 202 crashes since t+60.0s, with 149 messages in their hands, 203 in all";
        assert!(told.contains(sum), "{told}");
    }

    #[test]
    fn the_clock_is_as_fine_as_the_run_is_short() {
        let shown = |end: u64, at: u64| {
            Clock::reaching(SimTime::from_nanos(end)).show(SimTime::from_nanos(at))
        };
        let second = SimDuration::from_secs(1).as_nanos();
        assert_eq!(shown(423 * second, 83_332_500_000), "t+83.3s");
        assert_eq!(shown(5 * second, 83_332_500), "t+0.083s");
        assert_eq!(shown(second / 1_000, 123_456), "t+0.000123s");
        assert_eq!(shown(0, 0), "t+0.000000000s");
        assert_eq!(shown(10_000 * second, 3_661 * second), "t+1h01m01.0s");
        assert_eq!(
            shown(1_000_000 * second, 90_061 * second),
            "t+1d01h01m01.0s"
        );
        assert_eq!(shown(7_200 * second, 59_950_000_000), "t+60.0s");
    }
}
