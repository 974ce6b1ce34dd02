//! A part of a sweep for one machine of many: `--shard 2/8`, or what Slurm and Kubernetes say in
//! the environment of their jobs.
//!
//! Not the engines: they start the same command many times, and `merge` joins what it wrote.

use std::str::FromStr;

use crate::cli::exit::Failed;
use crate::cli::options::Common;

/// The variable that says how many indexes a Kubernetes job has, which Kubernetes does not.
const SHARDS: &str = "QUEUECAST_SHARDS";

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// This part.
    Part(Shard),
    /// What the environment says.
    Auto,
}

/// A part of a sweep: every so many-th point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    /// Which part, from 0.
    index: usize,
    /// How many parts there are.
    of: usize,
}

impl FromStr for Asked {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let part = text.split_once('/').and_then(|(index, of)| {
            let (index, of) = (index.trim().parse().ok()?, of.trim().parse().ok()?);
            Shard::from_one(index, of)
        });
        part.map(Self::Part)
            .ok_or_else(|| "write `1/8` to `8/8` for the parts of eight, or `auto`".to_owned())
    }
}

impl Shard {
    const WHOLE: Self = Self { index: 0, of: 1 };

    /// Part `index` of `of`, counted from 1.
    fn from_one(index: usize, of: usize) -> Option<Self> {
        (1 <= index && index <= of).then(|| Self {
            index: index - 1,
            of,
        })
    }

    /// The part that was asked for; all of it when none was.
    pub(super) fn of(asked: Option<Asked>, common: &Common) -> Result<Self, Failed> {
        let variable = |name: &str| std::env::var(name).ok();
        match asked {
            Some(Asked::Part(shard)) => Ok(shard),
            Some(Asked::Auto) => Self::found(variable)?.ok_or_else(|| {
                Failed::new("`--shard auto` finds no index in the environment").hint(format!(
                    "it reads SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT, or \
                     JOB_COMPLETION_INDEX and {SHARDS}; or say `--shard 1/8`"
                ))
            }),
            None => {
                if let Ok(Some(Self { index, of })) = Self::found(variable) {
                    let index = index + 1;
                    common.tell(&format!(
                        "note: this is task {index} of {of} of a job, and computes every point; \
                         with\n      `--shard auto` it computes its part\n"
                    ));
                }
                Ok(Self::WHOLE)
            }
        }
    }

    /// What the environment says; `None` when it says nothing.
    fn found(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, Failed> {
        let number = |name: &str| match variable(name) {
            None => Ok(None),
            Some(text) => text.trim().parse::<usize>().map(Some).map_err(|_| {
                Failed::new(format!("`{name}` is `{text}`, which is not a whole number"))
            }),
        };
        if let Some(id) = number("SLURM_ARRAY_TASK_ID")? {
            let all = (
                number("SLURM_ARRAY_TASK_COUNT")?,
                number("SLURM_ARRAY_TASK_MIN")?,
                number("SLURM_ARRAY_TASK_MAX")?,
                number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1),
            );
            return slurm(id, all).map(Some).ok_or_else(|| {
                Failed::new(format!(
                    "the array of Slurm task {id} is not evenly numbered"
                ))
                .hint("submit it with `--array=1-8`, without gaps, or say `--shard 1/8`")
            });
        }
        if let Some(index) = number("JOB_COMPLETION_INDEX")? {
            let Some(of) = number(SHARDS)? else {
                let failed =
                    Failed::new("JOB_COMPLETION_INDEX is there, and the number of parts is not");
                let way = format!("set {SHARDS} to the job's `completions`, or say `--shard 1/8`");
                return Err(failed.hint(way));
            };
            let shard = Self::from_one(index + 1, of);
            return shard.map(Some).ok_or_else(|| {
                Failed::new(format!(
                    "index {index} is none of the {of} parts of {SHARDS}"
                ))
                .hint(format!("set {SHARDS} to the job's `completions`"))
            });
        }
        Ok(None)
    }

    /// Whether a point is in this part: points are dealt like cards, so that parts are alike.
    pub(super) fn has(self, point: usize) -> bool {
        point % self.of == self.index
    }

    /// The name of its results file, without the ending.
    pub(super) fn stem(self) -> String {
        match self {
            Self::WHOLE => "sweep".to_owned(),
            Self { index, of } => format!("sweep.{}-of-{of}", index + 1),
        }
    }
}

/// The part of a Slurm task, when its array has the numbers `min`, `min + step`, … `max`.
fn slurm(
    id: usize,
    (count, min, max, step): (Option<usize>, Option<usize>, Option<usize>, usize),
) -> Option<Shard> {
    let (count, min) = (count?, min?);
    let way = id.checked_sub(min)?;
    let last = min.checked_add(count.checked_sub(1)?.checked_mul(step)?)?;
    let even = max.is_none_or(|max| max == last);
    let on_step = step > 0 && way.is_multiple_of(step);
    (even && on_step)
        .then(|| Shard::from_one(way / step + 1, count))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variables: &[(&str, &str)]) -> Result<Option<Shard>, String> {
        let variable = |name: &str| {
            let known = variables.iter().find(|(known, _)| *known == name);
            known.map(|(_, value)| (*value).to_owned())
        };
        Shard::found(variable).map_err(|failed| format!("{failed:?}"))
    }

    #[test]
    fn parts_are_counted_from_one() {
        assert_eq!("2/8".parse(), Ok(Asked::Part(Shard { index: 1, of: 8 })));
        assert_eq!("auto".parse(), Ok(Asked::Auto));
        for bad in ["0/8", "9/8", "3", "a/b", "1/0"] {
            assert!(bad.parse::<Asked>().is_err(), "{bad}");
        }
    }

    #[test]
    fn every_point_is_in_one_part() {
        for point in 0..100 {
            let having = (0..7).filter(|&index| Shard { index, of: 7 }.has(point));
            assert_eq!(having.count(), 1);
        }
    }

    #[test]
    fn slurm_arrays_may_start_anywhere_and_take_steps() {
        let array = |id, min, max, step, count| {
            found(&[
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_MIN", min),
                ("SLURM_ARRAY_TASK_MAX", max),
                ("SLURM_ARRAY_TASK_STEP", step),
                ("SLURM_ARRAY_TASK_COUNT", count),
            ])
        };
        let part = |index, of| Ok(Some(Shard { index, of }));
        assert_eq!(array("0", "0", "3", "1", "4"), part(0, 4));
        assert_eq!(array("4", "1", "4", "1", "4"), part(3, 4));
        assert_eq!(array("7", "1", "10", "3", "4"), part(2, 4));
        // --array=1,3,7
        assert!(array("3", "1", "7", "1", "3").is_err());
    }

    #[test]
    fn kubernetes_says_the_index_and_the_job_how_many() {
        let both = [("JOB_COMPLETION_INDEX", "3"), ("QUEUECAST_SHARDS", "4")];
        assert_eq!(found(&both), Ok(Some(Shard { index: 3, of: 4 })));
        assert!(found(&both[..1]).is_err());
        let beyond = [("JOB_COMPLETION_INDEX", "4"), ("QUEUECAST_SHARDS", "4")];
        assert!(found(&beyond).is_err());
        assert_eq!(found(&[]), Ok(None));
    }
}
