//! What a person wrote, with the place of every piece: a tree of values with spans, a reader of
//! its tables that files every problem it meets, and the problems themselves.
//!
//! Not the meaning: each policy reads its own values in its own file, and references between
//! tables are resolved in [`crate::scenario`]. Nothing here is seen by the simulation.
//!
//! Why not serde: a derived deserialiser stops at the first error, and this program promises to
//! report all errors of a file at once, each with a caret.

mod column;
mod fields;
mod problem;
mod read;
#[cfg(test)]
pub(crate) mod testing;
mod value;

pub use fields::{Fields, Variant};
pub use problem::{Note, Problem, Problems, Severity};
pub use read::Read;
pub use value::{Data, Entry, Span, Spanned, Table, Value};
