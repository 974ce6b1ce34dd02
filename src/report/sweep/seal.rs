//! The last cell of a row: a hash of all the others, so that a row which was changed is known.
//!
//! Not a seal against bad intent: whoever wants to can compute it again. It finds what editors,
//! spreadsheets, and broken disks do to a file that is read back.

use std::fmt::{self, Write};

/// The seal of a row with these cells.
pub(super) fn seal<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let mut hash = Fnv::default();
    for cell in cells {
        // Writing to a hash cannot fail. No cell has the separator of units.
        let _ = write!(hash, "{cell}\u{1f}");
    }
    format!("{:016x}", hash.0)
}

/// FNV-1a of 64 bits (Fowler, Noll and Vo; cited from memory).
#[derive(Clone, Copy, Debug)]
pub struct Fnv(pub u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_published_test_suite() {
        for (text, known) in [
            ("", 0xcbf2_9ce4_8422_2325_u64),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] {
            let mut hash = Fnv::default();
            hash.write_str(text).expect("a hash takes everything");
            assert_eq!(hash.0, known, "{text}");
        }
    }

    #[test]
    fn a_seal_knows_where_cells_end() {
        let cells = |cells: &[&'static str]| seal(cells.iter().copied());
        assert_ne!(cells(&["12", "3"]), cells(&["1", "23"]));
        assert_ne!(cells(&["1", ""]), cells(&["", "1"]));
    }
}
