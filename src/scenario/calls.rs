//! `calls` of consumers and of producers: which dependency they call, how long they wait for it,
//! and how they defend themselves (rules E6 and E7).
//!
//! Not the dependency itself ([`super::dependencies`]).

use super::dependencies::timeout;
use super::names::Names;
use super::reading::{above_zero, stray, up_to, word};
use crate::input::{Data, Entry, Fields, Problem, Problems, Read, Spanned, Value};
use crate::model::{BudgetPer, Caller, DependencyId, Hedge, Who};
use crate::policy::breaker::Breaker;
use crate::policy::concurrency::ConcurrencyLimit;
use crate::policy::retry::RetryPolicy;
use crate::units::SimDuration;

/// How long a caller waits for the answer to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Patience {
    /// As the dependency says.
    AsUsual,
    /// As it says itself; `None` for as long as it takes.
    Own(Option<SimDuration>),
}

/// Whose calls they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// Of the handlers of a fleet.
    Consumers,
    /// Of a producer itself.
    Producer,
}

/// `calls` as it was written.
#[derive(Debug)]
pub(super) struct Calls {
    dependency: DependencyId,
    patience: Patience,
    deadline: Option<SimDuration>,
    retry: Option<RetryPolicy>,
    breaker: Option<Breaker>,
    concurrency: Option<ConcurrencyLimit>,
    hedge: Option<Hedge>,
    per: BudgetPer,
}

impl Calls {
    /// Whom it calls.
    pub(super) fn dependency(&self) -> DependencyId {
        self.dependency
    }

    /// The caller that is `who`, and waits so long unless it has its own patience.
    pub(super) fn of(self, name: String, who: Who, usual: Option<SimDuration>) -> Caller {
        Caller {
            name,
            who,
            dependency: self.dependency,
            timeout: match self.patience {
                Patience::AsUsual => usual,
                Patience::Own(timeout) => timeout,
            },
            deadline: self.deadline,
            retry: self.retry,
            breaker: self.breaker,
            concurrency: self.concurrency,
            hedge: self.hedge,
            per: self.per,
        }
    }
}

/// Reads `calls`: a dependency's name, or a table.
pub(super) fn read(
    entry: &Entry,
    of: Of,
    names: &Names<'_>,
    problems: &mut Problems,
) -> Option<Calls> {
    let Data::Table(_) = &entry.value.data else {
        let reference = Spanned::<String>::read(&entry.value, problems)?;
        return Some(Calls {
            dependency: names.dependencies.find(&reference, problems)?,
            patience: Patience::AsUsual,
            deadline: None,
            retry: None,
            breaker: None,
            concurrency: None,
            hedge: None,
            per: usual(of),
        });
    };
    let mut fields = Fields::open(&entry.value, "calls", problems)?;
    let dependency = fields.required_spanned::<String>("dependency", problems);
    let dependency = dependency.and_then(|name| names.dependencies.find(&name, problems));
    super::preset::read_defences(&mut fields, problems);
    let patience = timeout(&mut fields, problems).map_or(Patience::AsUsual, Patience::Own);
    let deadline = above_zero(&mut fields, "deadline", problems);
    let retry = fields.optional::<RetryPolicy>("retry", problems);
    let breaker = fields.optional::<Breaker>("breaker", problems);
    let concurrency = fields.optional::<ConcurrencyLimit>("concurrency", problems);
    let hedge = fields.optional::<Hedge>("hedge", problems);
    let shares = retry.is_some_and(|retry| retry.budget.is_some())
        || breaker.is_some()
        || concurrency.is_some();
    let per = per(&mut fields, of, shares, problems);
    let calls = Calls {
        dependency: dependency?,
        patience,
        deadline,
        retry,
        breaker,
        concurrency,
        hedge,
        per,
    };
    in_time(&calls, &mut fields, problems);
    fields.close(problems);
    Some(calls)
}

fn usual(of: Of) -> BudgetPer {
    match of {
        Of::Consumers => BudgetPer::Consumer,
        // A producer is one client: there is nobody else to share with.
        Of::Producer => BudgetPer::Fleet,
    }
}

/// Who shares what is remembered of calls.
fn per(fields: &mut Fields<'_>, of: Of, shares: bool, problems: &mut Problems) -> BudgetPer {
    let found = word(fields, "per", &["consumer", "fleet"], problems);
    let entry = fields.entry("per");
    match of {
        Of::Producer => {
            if let Some(entry) = entry {
                let title = "a producer is one client, which shares its defences with nobody";
                let problem = Problem::error(title, entry.key_span.clone(), "has no meaning here");
                problems.file(problem.help("remove `per`"));
            }
            return usual(of);
        }
        Of::Consumers if !shares => {
            let partner = "breaker`, `concurrency` or a retry `budget";
            stray(fields, "per", partner, entry, problems);
        }
        Of::Consumers => {}
    }
    match found {
        Some(found) if found.it == "fleet" => BudgetPer::Fleet,
        _ => BudgetPer::Consumer,
    }
}

/// Times that never come, since an earlier one ends what they wait for.
fn in_time(calls: &Calls, fields: &mut Fields<'_>, problems: &mut Problems) {
    let own = match calls.patience {
        Patience::Own(timeout) => timeout,
        Patience::AsUsual => None,
    };
    if let (Some(timeout), Some(deadline)) = (own, calls.deadline)
        && timeout > deadline
    {
        never(("timeout", timeout), "deadline", fields, problems);
    }
    let Some(Hedge { after, .. }) = calls.hedge else {
        return;
    };
    if own.is_some_and(|timeout| after >= timeout) {
        never(("hedge", after), "timeout", fields, problems);
    } else if calls.deadline.is_some_and(|deadline| after >= deadline) {
        never(("hedge", after), "deadline", fields, problems);
    }
}

/// Files that what is due at a time never comes, since `first` ends it.
fn never(
    (key, at): (&'static str, SimDuration),
    first: &'static str,
    fields: &mut Fields<'_>,
    problems: &mut Problems,
) {
    let places = [key, first].map(|key| fields.entry(key).map(|entry| entry.value.span.clone()));
    let [Some(late), Some(early)] = places else {
        return;
    };
    let title = format!("a {key} after {at} never comes");
    let problem = Problem::error(title, late, "too late");
    let problem = problem.also(early, format!("this {first} comes first"));
    problems.file(problem.help(format!(
        "make it shorter than the {first}, or remove `{key}`"
    )));
}

/// The most hedges of a call: more would be an attack.
const MOST_HEDGES: u32 = 100;

impl Read for Hedge {
    const EXPECTS: &'static str = "a table such as { after = \"100ms\", at_most = 1 }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let mut fields = Fields::open(value, "hedge", problems)?;
        if !fields.has("after") {
            fields.required::<SimDuration>("after", problems);
        }
        let after = above_zero(&mut fields, "after", problems);
        let at_most = up_to(&mut fields, "at_most", MOST_HEDGES, problems);
        let wrong = fields.has("at_most") && at_most.is_none();
        fields.close(problems);
        Some(Self {
            after: after?,
            at_most: if wrong {
                return None;
            } else {
                at_most.unwrap_or(1)
            },
        })
    }
}
