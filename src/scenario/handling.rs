//! What `[consumers.NAME]` says of the handling of messages: acknowledgements, prefetch, batches,
//! failures, retries, crashes, and effects.
//!
//! Not how many consumers there are, nor how long they work ([`super::consumers`]).

use super::reading::{WordOr, is_table, mtbf, number, stray, word, word_or, words};
use crate::input::{Data, Entry, Fields, Problem, Problems, Read, Spanned, Value};
use crate::model::{
    Ack, Batch, BatchFailure, BatchWork, BudgetPer, Crashes, Failures, Guard, Handling,
    IdempotencyKey, Intake, Limit, RetryOn, RetryPlace, Rework, Reworking,
};
use crate::policy::calls::Calls;
use crate::policy::idempotency::Idempotency;
use crate::policy::retry::RetryPolicy;
use crate::random::law::DurationLaw;
use crate::units::{Rate, Ratio, SimDuration, SimTime};

/// How long a crashed consumer is down unless something else is said.
const RESTART: SimDuration = SimDuration::from_secs(10);

/// Takes the keys of handling from the table of a fleet. What is wrong is filed, and left out.
pub(super) fn read(fields: &mut Fields<'_>, problems: &mut Problems) -> Handling {
    let plain = Handling::default();
    let ack = match word(fields, "ack", &["before", "after"], problems) {
        Some(found) if found.it == "before" => Ack::Before,
        _ => Ack::After,
    };
    let rework = match word(fields, "rework", &["restart", "resample"], problems) {
        Some(found) if found.it == "resample" => Rework::Resample,
        _ => Rework::Restart,
    };
    let guard = match word(fields, "guard", &["none", "version"], problems) {
        Some(found) if found.it == "version" => Guard::Version,
        _ => Guard::None,
    };
    let idempotency = fields.or("idempotency", Idempotency::None, problems);
    Handling {
        ack,
        ack_loss: fields.or("ack_loss", plain.ack_loss, problems),
        intake: intake(fields, problems).unwrap_or(plain.intake),
        delivery_delay: fields.or("delivery_delay", plain.delivery_delay, problems),
        batch: fields.optional("batch", problems),
        fails: fields.or("fails", plain.fails, problems),
        calls: None,
        limit: fields.optional("limit", problems),
        retry: fields.optional("retry", problems),
        rework,
        crash: fields.optional("crash", problems),
        idempotency,
        idempotency_key: idempotency_key(fields, idempotency, problems),
        effect_at: fields.or("effect_at", plain.effect_at, problems),
        guard,
    }
}

fn intake(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Intake> {
    let Entry { value, .. } = fields.entry("prefetch")?;
    let prefetch = match word_or::<u32>(value, &["unlimited"], problems)? {
        WordOr::Word(_) => u32::MAX,
        WordOr::Value(0) => {
            let title = "a consumer that may hold no message";
            let problem = Problem::error(title, value.span.clone(), "must be at least 1");
            let help = "for no bound, which RabbitMQ writes as 0, write `\"unlimited\"`";
            problems.file(problem.help(help));
            return None;
        }
        WordOr::Value(prefetch) => prefetch,
    };
    Some(Intake::Push { prefetch })
}

impl Read for Batch {
    const EXPECTS: &'static str = "a count, or a table such as { size = 10, window = \"1s\" }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let plain = |size| Self {
            size,
            window: SimDuration::ZERO,
            work: BatchWork::Each,
            failure: BatchFailure::Whole,
        };
        if !is_table(value) {
            let size = u32::read(value, problems)?;
            if size == 0 {
                let title = "a batch of no message";
                let label = "must be at least 1";
                problems.file(Problem::error(title, value.span.clone(), label));
            }
            return Some(plain(size));
        }
        let mut fields = Fields::open(value, "batch", problems)?;
        if !fields.has("size") {
            fields.required::<u32>("size", problems);
        }
        let size = number(&mut fields, "size", &1, problems);
        let window = fields.or("window", SimDuration::ZERO, problems);
        let work = match word(&mut fields, "work", &["each", "once"], problems) {
            Some(found) if found.it == "once" => BatchWork::Once,
            _ => BatchWork::Each,
        };
        let failure = match word(&mut fields, "failure", &["whole", "partial"], problems) {
            Some(found) if found.it == "partial" => BatchFailure::Partial,
            _ => BatchFailure::Whole,
        };
        fields.close(problems);
        Some(Self {
            window,
            work,
            failure,
            ..plain(size?)
        })
    }
}

impl Read for Failures {
    const EXPECTS: &'static str = "a ratio such as \"1%\", or { transient = \"1%\" }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        if !is_table(value) {
            let transient = Ratio::read(value, problems)?;
            return Some(Self {
                transient,
                ..Self::default()
            });
        }
        let mut fields = Fields::open(value, "fails", problems)?;
        let transient = fields.or("transient", Ratio::ZERO, problems);
        let permanent = fields.or("permanent", Ratio::ZERO, problems);
        let takes = fields.optional::<DurationLaw>("takes", problems);
        let breaks_at = fields.or("breaks_at", SimDuration::ZERO, problems);
        let cured_at = fields.spanned::<SimDuration>("cured_at", problems);
        if let Some(cured) = cured_at.as_ref().filter(|cured| cured.it <= breaks_at) {
            let title = format!("cured at {}, and breaks at {breaks_at}", cured.it);
            let label = "must be later than it breaks";
            problems.file(Problem::error(title, cured.span.clone(), label));
        }
        fields.close(problems);
        Some(Self {
            transient,
            permanent,
            takes,
            breaks_at: SimTime::ZERO.saturating_add(breaks_at),
            cured_at: cured_at.map(|at| SimTime::ZERO.saturating_add(at.it)),
        })
    }
}

impl Read for Reworking {
    const EXPECTS: &'static str = RetryPolicy::EXPECTS;

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let mut fields = Fields::open(value, "retry", problems)?;
        let policy = RetryPolicy::take(&mut fields, problems);
        let place = match word(&mut fields, "place", &["delayed", "in_place"], problems) {
            Some(found) if found.it == "in_place" => RetryPlace::InPlace,
            _ => RetryPlace::Delayed,
        };
        let on = retry_on(&mut fields, problems);
        let budget_per = match word(&mut fields, "budget_per", &["consumer", "fleet"], problems) {
            Some(found) if found.it == "fleet" => BudgetPer::Fleet,
            _ => BudgetPer::Consumer,
        };
        if !fields.has("budget") {
            let entry = fields.entry("budget_per");
            stray(&fields, "budget_per", "budget", entry, problems);
        }
        fields.close(problems);
        Some(Self {
            policy: policy?,
            place,
            on,
            budget_per,
        })
    }
}

impl Read for Limit {
    const EXPECTS: &'static str =
        "a rate such as \"10/min\", or { rate = \"10/min\", window = \"1m\" }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let (rate, window) = if is_table(value) {
            let mut fields = Fields::open(value, "limit", problems)?;
            let rate = fields.required_spanned::<Rate>("rate", problems);
            let window = fields.spanned::<SimDuration>("window", problems);
            fields.close(problems);
            (rate?, window)
        } else {
            (Spanned::<Rate>::read(value, problems)?, None)
        };
        if rate.it.is_zero() {
            let title = format!("a limit of {} lets no attempt through, ever", rate.it);
            problems.file(Problem::error(title, rate.span, "must be above zero"));
            return None;
        }
        // A slower rate has a window of its own: the time in which whole attempts come.
        let usual = Calls::SECOND.max(rate.it.per());
        if let Some(window) = &window
            && window.it < rate.it.span_of(1)
        {
            let title = format!(
                "a window of {} has less than one attempt at {}",
                window.it, rate.it
            );
            let label = "what comes in a window without one is lost";
            let problem = Problem::error(title, window.span.clone(), label);
            let least = rate.it.span_of(1);
            problems.file(problem.help(format!("make it {least} or longer, such as {usual}")));
            return None;
        }
        Some(Self {
            rate: rate.it,
            window: window.map_or(usual, |window| window.it),
        })
    }
}

/// `"any"`, `"transient"`, or a list of kinds of failures.
fn retry_on(fields: &mut Fields<'_>, problems: &mut Problems) -> RetryOn {
    let list = fields
        .entry("retry_on")
        .is_some_and(|entry| matches!(entry.value.data, Data::Array(_)));
    if !list {
        return match word(fields, "retry_on", &["any", "transient"], problems) {
            Some(found) if found.it == "transient" => RetryOn::Transient,
            _ => RetryOn::Any,
        };
    }
    let Some(Spanned { it: kinds, span }) =
        words(fields, "retry_on", &["transient", "permanent"], problems)
    else {
        return RetryOn::Any;
    };
    if !kinds.contains(&"transient") {
        let title = "what may be tried again are transient failures first of all";
        let problem = Problem::error(title, span, "lacks `transient`");
        problems.file(problem.help("leave out `retry`, and failed messages come back at once"));
    }
    if kinds.contains(&"permanent") {
        RetryOn::Any
    } else {
        RetryOn::Transient
    }
}

impl Read for Crashes {
    const EXPECTS: &'static str = "a table such as { mtbf = \"6h\", restart = \"10s\" }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let mut fields = Fields::open(value, "crash", problems)?;
        let mtbf = fields
            .entry("mtbf")
            .and_then(|entry| mtbf(&entry.value, "crashes", problems));
        let at = fields
            .entry("at")
            .and_then(|entry| instants(&entry.value, problems));
        if !fields.has("mtbf") && !fields.has("at") {
            let title = "`crash` does not say when";
            let problem = Problem::error(title, value.span.clone(), "lacks `mtbf` and `at`");
            problems.file(problem.help("add `mtbf = \"6h\"`, or `at = \"5m\"`, or both"));
        }
        let consumers = number(&mut fields, "consumers", &1, problems);
        if !fields.has("at") {
            let entry = fields.entry("consumers");
            stray(&fields, "consumers", "at", entry, problems);
        }
        let restart = fields.or("restart", RESTART, problems);
        fields.close(problems);
        Some(Self {
            mtbf,
            at: at.unwrap_or_default(),
            consumers: consumers.unwrap_or(1),
            restart,
        })
    }
}

/// One instant, or a list of them, which is put in order.
fn instants(value: &Value, problems: &mut Problems) -> Option<Vec<SimTime>> {
    let spans = if let Data::Array(items) = &value.data {
        if items.is_empty() {
            let title = "no instant of a crash";
            problems.file(Problem::error(
                title,
                value.span.clone(),
                "name one at least",
            ));
        }
        Vec::<SimDuration>::read(value, problems)?
    } else {
        vec![SimDuration::read(value, problems)?]
    };
    let mut instants: Vec<_> = spans
        .into_iter()
        .map(|span| SimTime::ZERO.saturating_add(span))
        .collect();
    instants.sort_unstable();
    Some(instants)
}

fn idempotency_key(
    fields: &mut Fields<'_>,
    idempotency: Idempotency,
    problems: &mut Problems,
) -> IdempotencyKey {
    let kinds = ["natural", "generated_per_attempt"];
    let Some(found) = word(fields, "idempotency_key", &kinds, problems) else {
        return IdempotencyKey::Natural;
    };
    if idempotency == Idempotency::None && !fields.has("idempotency") {
        let title = "a key that nobody looks at";
        let problem = Problem::warning(title, found.span, "has no effect");
        problems.file(problem.help("add `idempotency = \"unique_key\"`"));
    }
    match found.it {
        "generated_per_attempt" => IdempotencyKey::GeneratedPerAttempt,
        _ => IdempotencyKey::Natural,
    }
}
