//! Vocabulary: the words of the field, as this program uses them. Where brokers differ, their words
//! are named.
//!
//! Not a course; each word has one to three sentences.
//!
//! # Parts
//!
//! **Producer.** Whoever publishes. It has an arrival process, which says when, and a publish
//! policy, which says what it does when a queue refuses.
//!
//! **Queue.** Where messages wait until somebody takes them. Once a message is done it is gone; a
//! log, which keeps what was read, is another thing and not simulated yet.
//!
//! **Broker.** The server that holds queues (RabbitMQ, SQS, a database table). Here it is only its
//! limits: capacity, memory, retention.
//!
//! **Consumer.** A process that takes messages and works on them. **Fleet**: identical consumers of
//! one queue. **Handler**: a thread, task or slot in a consumer that works on one message at a
//! time; a consumer has `concurrency` of them. A fleet of 10 with concurrency 6 is 60 handlers.
//!
//! **Message, publish, delivery, execution.** A publish is an attempt to hand something over;
//! accepted, it becomes a message. A delivery hands a message to a handler; a message can be
//! delivered more than once. An execution is the work of one delivery.
//!
//! **Fan-out.** One event, a copy to each of several queues, each with consumers of its own (an
//! exchange with several bindings, a topic with several subscriptions).
//!
//! **Open and closed loop.** In an open loop publishes come when they come, whatever happens to the
//! earlier ones: people of whom there are always more. In a closed loop a fixed number of clients
//! wait for the answer before they go on: when the system is slow they ask less often.
//!
//! # Levels
//!
//! **Depth** (backlog, ready messages, queue length). How many messages wait. Those in flight do
//! not count.
//!
//! **In flight** (unacknowledged). Delivered, not yet acknowledged. By Little's law the arrival
//! rate times the time of work.
//!
//! **Lag.** The age of the oldest waiting message: how late the queue is, in seconds. Depth says
//! how much there is to do; lag says how long somebody has been waiting.
//!
//! **Blocked.** A publisher that waits for room. It holds a connection, a thread, perhaps a person.
//!
//! **Utilization.** The time handlers work over the time they are able to. **Headroom**: what the
//! fleet could complete beyond what arrives. **Break-even**: the fleet whose headroom is zero, 48
//! for 1,200/s and 40 ms; it never catches up.
//!
//! **Goodput.** Messages completed per second, as against work done.
//!
//! # Times
//!
//! **Service time.** How long a handler works on one message.
//!
//! **Wait.** From acceptance to the first delivery. **Publish latency**: from the instant the
//! publish was meant to happen to acceptance; zero, unless the publisher was blocked or retried.
//! **Sojourn**: from meant to happen to completion, time blocked included. Counting from *meant*
//! and not from *sent* matters: a tool that stops sending while it is blocked measures only the
//! good moments (**coordinated omission**).
//!
//! **Percentile.** p99 of the wait: 99 messages in 100 wait no longer.
//!
//! **Drain.** Working off a backlog; `drained_at` is the first instant after the last disturbance
//! at which nothing waits and nobody is blocked, before the publishes of that instant.
//!
//! # When things go wrong
//!
//! **Outage.** Consumers stop for a while. **Freeze**: work in hand stands still and goes on.
//! **Crash**: it is lost, and its message comes back.
//!
//! **At least once**: nothing is lost, some things are done twice. **At most once**: the reverse.
//!
//!
//! **Backpressure.** The slow part makes the fast part slow, instead of letting work pile up
//! between them: blocked publishers, closed loops. **Load shedding**: some work is refused or
//! dropped so that the rest is on time.
//!
//! **Retention.** How long a queue keeps what nobody has taken. What is older **expires**. **Time
//! to live**: the age beyond which a message is not worth delivering.
//!
//! **Admission order.** Which blocked publisher gets a slot that becomes free. **Barging**:
//! newcomers pass those that wait, as with a lock that is not fair.
//!
//! **Backoff, jitter.** The growing delay between tries, and its random spread, without which all
//! who failed together try again together.
//!
//! # Deliveries
//!
//! **Lease.** A delivery that can end in two ways: the message is acknowledged, or it comes back.
//! Who holds it, since when, until when. A queue whose messages cannot come back has none, and pays
//! for none.
//!
//! **Acknowledgement** (ack; SQS: delete). The consumer's word that a message is done. Until then
//! the broker keeps it. **Unacked age**: since when the oldest delivery has been out; a consumer
//! that hangs shows there, and not in the lag.
//!
//! **Visibility timeout** (SQS; Celery on Redis). How long a delivered message is hidden from
//! others. Then it is delivered again, whether or not somebody still works on it: the delivery
//! **lapses**. **Heartbeat**: the consumer starts that timer again.
//!
//! **Prefetch** (RabbitMQ: basic.qos; Celery: worker_prefetch_multiplier). How many unacknowledged
//! messages a consumer may hold. **Credit**: how many more it may be given now.
//!
//! **Receive count.** How often a message has been delivered, the first time included.
//! **Redelivery**: any but the first. SQS counts receives (`max_receives`), RabbitMQ's quorum
//! queues count returns (`return_limit`).
//!
//! **Dead letter.** A message that nobody shall try again, in a queue of its own. **Redrive**:
//! moving dead letters back after the fault is repaired. **Poison message**: one on which every
//! attempt fails.
//!
//! **Attempt.** One piece of work on a message. A delivery has several where failures are retried
//! in place. **Transient failure**: another attempt may succeed. **Permanent**: none does.
//!
//! **Effect.** What work does to the world outside: the mail that is sent, the card that is
//! charged. **Duplicate effect**: the second one. **Undone**: the message is gone, and there was
//! none.
//!
//! **Idempotency key.** What a duplicate is recognized by: of the message itself, or made anew for
//! each attempt, which recognizes nothing. **Deduplication window**: for how long a broker
//! remembers what it has accepted.
//!
//! **Group** (SQS: message group; a partition's key elsewhere). Messages of one key, delivered one
//! at a time. **Version guard**: ignoring a message older than the last one applied of its key.
//!
//!
//! # Mathematics
//!
//! **Little's law.** L = λW: the number present is the arrival rate times the time each stays. It
//! holds for any stable system, whatever its laws.
//!
//! **Kendall's notation.** M/M/60: random (Markov) arrivals, exponential work, 60 servers; D is
//! deterministic, G general. **Offered load** a = λ · service, in erlangs; **ρ** = a/c.
//!
//! **Fluid model.** Messages as a liquid: backlog is the integral of the difference of two rates.
//! Exact arithmetic, no chance, no single message. Right for large backlogs, silent about waits in
//! calm weather.
//!
//! **Coefficient of variation (cv).** Standard deviation over mean: 0 for constant work, 1 for
//! exponential, more for a heavy tail.
//!
//! **Replication.** A run of the same model with random numbers of its own. **Confidence
//! interval**: from several of them, where the true mean lies, with a stated level.
//!
//! **Common random numbers.** Two fleets meet the same messages at the same times with the same
//! work, so that what differs is the fleet and not the luck.
