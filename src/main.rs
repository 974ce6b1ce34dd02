//! The door of the program: parse, dispatch, exit code.

fn main() {}
