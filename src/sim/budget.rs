//! Retry budgets at run time: whose they are, what they hear, and what is asked of them (rule E7).
//!
//! Not what they decide ([`crate::policy::retry::budget`]), nor what becomes of work that may not
//! be tried again: that is the way of refusals and failures.

use super::World;
use super::delivery::LeaseRef;
use super::fact::{Fact, Failure};
use super::recorder::Recorder;
use crate::model::{BudgetPer, Fleet, Producer, ProducerId, QueueId};
use crate::policy::publish::PublishPolicy;
use crate::policy::retry::budget::{BudgetState, Cause};

/// The budget of a producer's retries, untouched.
pub(super) fn of_producer(producer: &Producer) -> Option<BudgetState> {
    match &producer.on_full {
        PublishPolicy::Retry(policy) => policy.budget.map(BudgetState::new),
        PublishPolicy::Reject | PublishPolicy::Block(_) => None,
    }
}

/// The budget of a fleet's retries, untouched, if it is this that has one.
pub(super) fn of_fleet(fleet: &Fleet, per: BudgetPer) -> Option<BudgetState> {
    let retry = fleet.handling.retry.filter(|it| it.budget_per == per)?;
    retry.policy.budget.map(BudgetState::new)
}

impl Failure {
    /// What a retry because of it costs.
    pub(super) fn cause(self) -> Cause {
        match self {
            Self::Transient | Self::Permanent => Cause::Failure,
            Self::Throttled => Cause::Throttled,
            Self::Dependency(cause) => cause,
        }
    }
}

impl<R: Recorder> World<'_, R> {
    /// A producer's budget hears that a publish has succeeded: at once, or tried again because of
    /// something.
    pub(super) fn hear_of_publish(&mut self, producer: ProducerId, again: Option<Cause>) {
        let now = self.calendar.now();
        if let Some(budget) = &mut self.producers[producer].budget {
            if again.is_none() {
                budget.first_try(now);
            }
            succeed(budget, again);
        }
    }

    /// A producer's budget hears that a publish was refused, for the first time or again.
    pub(super) fn hear_of_refusal(&mut self, producer: ProducerId, again: Option<Cause>) {
        let now = self.calendar.now();
        if let Some(budget) = &mut self.producers[producer].budget {
            if again.is_none() {
                budget.first_try(now);
            }
            budget.failed();
        }
    }

    /// Whether a producer may publish again; that it may not is told.
    pub(super) fn may_publish_again(
        &mut self,
        producer: ProducerId,
        queue: QueueId,
        cause: Cause,
    ) -> bool {
        let now = self.calendar.now();
        let budget = &mut self.producers[producer].budget;
        let may = budget
            .as_mut()
            .is_none_or(|budget| budget.may_retry(now, cause));
        if !may {
            self.tell(Fact::RetryRefused { queue });
        }
        may
    }

    /// The budget of a consumer, its own or its fleet's.
    fn budget_of(&mut self, consumer: u32) -> Option<&mut BudgetState> {
        let (own, fleet) = self.custody.budget_of(consumer);
        own.or(self.fleets[fleet].budget.as_mut())
    }

    /// A consumer's budget hears that it works on a message for the first time.
    pub(super) fn hear_of_attempt(&mut self, consumer: u32) {
        let now = self.calendar.now();
        if let Some(budget) = self.budget_of(consumer) {
            budget.first_try(now);
        }
    }

    /// It hears that the work has succeeded: at once, or tried again because of something.
    pub(super) fn hear_of_success(&mut self, lease: LeaseRef, again: Option<Cause>) {
        if let Some((consumer, _)) = self.custody.holder_of(lease)
            && let Some(budget) = self.budget_of(consumer)
        {
            succeed(budget, again);
        }
    }

    /// It hears that the work has failed in a way that another attempt may get over.
    pub(super) fn hear_of_failure(&mut self, lease: LeaseRef) {
        if let Some((consumer, _)) = self.custody.holder_of(lease)
            && let Some(budget) = self.budget_of(consumer)
        {
            budget.failed();
        }
    }

    /// Whether a consumer may work on a message again; that it may not is told.
    pub(super) fn may_work_again(&mut self, lease: LeaseRef, failure: Failure) -> bool {
        let now = self.calendar.now();
        let Some((consumer, queue)) = self.custody.holder_of(lease) else {
            return true;
        };
        let may = self
            .budget_of(consumer)
            .is_none_or(|budget| budget.may_retry(now, failure.cause()));
        if !may {
            self.tell(Fact::RetryRefused { queue });
        }
        may
    }
}

/// A budget hears of a success: at once, or of something tried again because of a failure.
pub(super) fn succeed(budget: &mut BudgetState, again: Option<Cause>) {
    match again {
        None => budget.first_success(),
        Some(cause) => budget.retry_success(cause),
    }
}
