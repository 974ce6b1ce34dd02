//! The presets of calls: which library defends its callers how by default, and where that was read.
//!
//! Not how they are laid under a scenario, and not the libraries as they are today.

use super::list::{Given, Of, Preset, PresetKey};

const fn calls(key: &'static str, value: &'static str, source: &'static str) -> PresetKey {
    PresetKey {
        of: Of::Calls,
        key,
        given: Given::Toml(value),
        with: None,
        source,
    }
}

pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "aws_sdk_standard",
        doc: "the AWS SDKs, retry mode standard (before 2026)",
        keys: AWS_SDK_STANDARD,
    },
    Preset {
        name: "grpc",
        doc: "gRPC with the retry policy and the throttling of its proposal's examples: by default \
              it has none",
        keys: GRPC,
    },
    Preset {
        name: "finagle",
        doc: "Finagle, a client with its default retry budget",
        keys: FINAGLE,
    },
    Preset {
        name: "resilience4j",
        doc: "resilience4j: circuit breaker, bulkhead and retry, each with its defaults",
        keys: RESILIENCE4J,
    },
];

const AWS_SDK_STANDARD: &[PresetKey] = &[
    calls(
        "retry.attempts",
        "3",
        "botocore, retries/standard.py: 3 attempts",
    ),
    calls(
        "retry.backoff",
        "{ exponential = { base = \"1s\", factor = 2, cap = \"20s\" } }",
        "botocore, retries/standard.py: U(0, 1) x min(2^(n - 1), 20) s before retry n",
    ),
    calls(
        "retry.jitter",
        "\"full\"",
        "botocore, retries/standard.py: the factor U(0, 1)",
    ),
    calls(
        "retry.budget",
        "\"aws_standard\"",
        "botocore, retries/quota.py: 500 tokens, 5 for a retry, 10 after a timeout, 1 back for a \
         first success",
    ),
];

const GRPC: &[PresetKey] = &[
    calls(
        "retry.attempts",
        "4",
        "grpc/proposal A6, example of a retry policy: maxAttempts 4 (from memory)",
    ),
    calls(
        "retry.backoff",
        "{ exponential = { base = \"100ms\", factor = 2, cap = \"1s\" } }",
        "grpc/proposal A6, example: initialBackoff 0.1 s, maxBackoff 1 s, multiplier 2 (from \
         memory)",
    ),
    calls(
        "retry.jitter",
        "\"full\"",
        "grpc/proposal A6 at first: random(0, backoff) (from memory); later texts spread by 20 %, \
         which this program has not",
    ),
    calls(
        "retry.budget",
        "\"grpc\"",
        "grpc/proposal A6, example of retry throttling: 10 tokens, ratio 0.1",
    ),
];

const FINAGLE: &[PresetKey] = &[
    calls(
        "retry.attempts",
        "3",
        "a choice: Finagle bounds retries by its budget first of all",
    ),
    calls(
        "retry.backoff",
        "\"immediate\"",
        "Finagle, ClientParams.scala: the backoff of requeues is no delay",
    ),
    calls(
        "retry.budget",
        "\"finagle\"",
        "Finagle, RetryBudget.scala: 20 % of the calls and 10/s, remembered for 10 s",
    ),
];

const RESILIENCE4J: &[PresetKey] = &[
    calls(
        "breaker",
        "\"resilience4j\"",
        "CircuitBreakerConfig.java: window and minimum 100 calls, failures 50 %, slow 100 % above \
         60 s, open 60 s, 10 trials",
    ),
    calls(
        "concurrency",
        "\"resilience4j\"",
        "BulkheadConfig.java: 25 calls, no wait",
    ),
    calls("retry.attempts", "3", "RetryConfig.java: 3 attempts"),
    calls(
        "retry.backoff",
        "{ fixed = \"500ms\" }",
        "RetryConfig.java: 500 ms between attempts",
    ),
];
