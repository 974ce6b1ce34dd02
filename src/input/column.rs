//! Reads one column of a CSV file that an input names.
//!
//! Not what the numbers mean: the caller parses each cell. Paths are relative to the input's own
//! folder ([`Problems::folder`]); the first row holds the names of the columns.

use super::fields::Fields;
use super::problem::{Problem, Problems};
use super::value::Spanned;

/// So many bad rows are told one by one, then only their number.
const MOST_TOLD: usize = 5;

impl Fields<'_> {
    /// Every cell of the column that the keys `file` and `column` name, parsed by `parse`, which
    /// says what is wrong with a cell it cannot take. Files a problem for a file that cannot be
    /// read, a column that is not there, a file without rows, and for the first bad rows.
    pub fn csv_column<T>(
        &mut self,
        problems: &mut Problems,
        mut parse: impl FnMut(&str) -> Result<T, String>,
    ) -> Option<Vec<T>> {
        let file = self.required_spanned::<String>("file", problems);
        let column = self.required_spanned::<String>("column", problems);
        let (file, column) = (file?, column?);
        let mut reader = open(&file, problems)?;
        let index = find_column(&mut reader, &file, &column, problems)?;
        let mut cells = Vec::new();
        let mut bad = 0;
        for record in reader.records() {
            let cell = match &record {
                Ok(record) => match record.get(index) {
                    Some(cell) => parse(cell).map_err(|why| (line_of(record.position()), why)),
                    None => Err((line_of(record.position()), "has no such column".to_owned())),
                },
                Err(error) => Err((line_of(error.position()), error.to_string())),
            };
            match cell {
                Ok(cell) => cells.push(cell),
                Err((line, why)) => {
                    bad += 1;
                    if bad <= MOST_TOLD {
                        let title = format!("row {line} of `{}`: {why}", file.it);
                        problems.file(Problem::error(title, file.span.clone(), "in this file"));
                    }
                }
            }
        }
        if bad > MOST_TOLD {
            let title = format!("{} more rows of `{}` are wrong", bad - MOST_TOLD, file.it);
            problems.file(Problem::error(title, file.span.clone(), "in this file"));
        }
        if bad == 0 && cells.is_empty() {
            let title = format!("`{}` has no rows below its head", file.it);
            problems.file(Problem::error(
                title,
                file.span.clone(),
                "no numbers in here",
            ));
        }
        (bad == 0 && !cells.is_empty()).then_some(cells)
    }
}

/// A file of numbers has no more bytes than this: each number takes memory in every run.
const MOST_BYTES: u64 = 100_000_000;

type Reader = csv::Reader<std::fs::File>;

fn open(file: &Spanned<String>, problems: &mut Problems) -> Option<Reader> {
    let path = problems.folder().join(&file.it);
    if let Ok(found) = std::fs::metadata(&path)
        && (!found.is_file() || found.len() > MOST_BYTES)
    {
        let title = if found.is_file() {
            format!("`{}` has {} bytes", file.it, found.len())
        } else {
            format!("`{}` is no file", file.it)
        };
        let label = format!("at most {MOST_BYTES} are read");
        let problem = Problem::error(title, file.span.clone(), label);
        problems.file(problem.help("give a sample of it, or fit a law to it"));
        return None;
    }
    match csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_path(&path)
    {
        Ok(reader) => Some(reader),
        Err(error) => {
            let title = format!("cannot read `{}`: {error}", file.it);
            let help = format!(
                "paths are relative to the scenario: it was looked for at `{}`",
                path.display()
            );
            problems.file(Problem::error(title, file.span.clone(), "not readable").help(help));
            None
        }
    }
}

fn find_column(
    reader: &mut Reader,
    file: &Spanned<String>,
    column: &Spanned<String>,
    problems: &mut Problems,
) -> Option<usize> {
    let head = match reader.headers() {
        Ok(head) => head,
        Err(error) => {
            let title = format!("cannot read `{}`: {error}", file.it);
            problems.file(Problem::error(title, file.span.clone(), "not readable"));
            return None;
        }
    };
    let index = head.iter().position(|name| name == column.it);
    if index.is_none() {
        let title = format!("`{}` has no column `{}`", file.it, column.it);
        let problem = Problem::error(title, column.span.clone(), "no such column");
        problems.file(problem.suggest(&column.it, head.iter()));
    }
    index
}

/// The line of the file, as an editor counts; 0 when it is not known.
fn line_of(position: Option<&csv::Position>) -> u64 {
    position.map_or(0, csv::Position::line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(folder: &std::path::Path, name: &str) -> String {
        let mut problems = Problems::in_folder(folder);
        let file = Spanned {
            it: name.to_owned(),
            span: 0..0,
        };
        assert!(open(&file, &mut problems).is_none());
        problems.sorted()[0].title.clone()
    }

    #[test]
    fn a_file_is_a_file_and_not_too_large() {
        let folder = tempfile::tempdir().expect("a directory");
        let path = folder.path().join("gaps.csv");
        let file = std::fs::File::create(&path).expect("a file");
        file.set_len(MOST_BYTES + 1).expect("a hole");
        assert_eq!(
            refused(folder.path(), "gaps.csv"),
            "`gaps.csv` has 100000001 bytes"
        );
        assert_eq!(refused(folder.path(), "."), "`.` is no file");
    }
}
