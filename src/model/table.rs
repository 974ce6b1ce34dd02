//! Tables indexed by typed ids, so that a queue cannot be looked up with a producer's number.
//!
//! Not maps: ids are dense, handed out in the order of the scenario.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A typed position in a [`Table`].
pub trait Id: Copy {
    /// The id of a position.
    fn at(index: usize) -> Self;
    /// The position.
    fn index(self) -> usize;
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name(u16);

        impl Id for $name {
            #[inline]
            fn at(index: usize) -> Self {
                Self(u16::try_from(index).expect("at most 65,536 components of a kind"))
            }

            #[inline]
            fn index(self) -> usize {
                usize::from(self.0)
            }
        }
    };
}

id!(
    /// Which producer.
    ProducerId
);
id!(
    /// Which queue.
    QueueId
);
id!(
    /// Which fleet of consumers.
    FleetId
);
id!(
    /// Which dependency.
    DependencyId
);
id!(
    /// Which caller of a dependency.
    CallerId
);

/// A list of `T` whose positions are of type `I`.
#[derive(Clone)]
pub struct Table<I, T> {
    rows: Vec<T>,
    ids: PhantomData<fn() -> I>,
}

impl<I: Id, T> Table<I, T> {
    /// A table of these rows.
    pub fn new(rows: Vec<T>) -> Self {
        Self {
            rows,
            ids: PhantomData,
        }
    }

    /// Adds a row and returns its id.
    pub fn push(&mut self, row: T) -> I {
        self.rows.push(row);
        I::at(self.rows.len() - 1)
    }

    /// All rows in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.rows.iter()
    }

    /// All rows in order, to change.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.rows.iter_mut()
    }

    /// All ids in order.
    pub fn ids(&self) -> impl Iterator<Item = I> + use<I, T> {
        (0..self.rows.len()).map(I::at)
    }

    /// All rows with their ids, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (I, &T)> {
        self.rows
            .iter()
            .enumerate()
            .map(|(index, row)| (I::at(index), row))
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl<I: Id, T> Default for Table<I, T> {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl<I: Id, T> FromIterator<T> for Table<I, T> {
    fn from_iter<F: IntoIterator<Item = T>>(rows: F) -> Self {
        Self::new(rows.into_iter().collect())
    }
}

impl<'a, I: Id, T> IntoIterator for &'a Table<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.iter()
    }
}

impl<'a, I: Id, T> IntoIterator for &'a mut Table<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.iter_mut()
    }
}

impl<I: Id, T> Index<I> for Table<I, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, id: I) -> &T {
        match self.rows.as_slice() {
            [only] => {
                debug_assert_eq!(id.index(), 0, "an id of another table");
                only
            }
            rows => &rows[id.index()],
        }
    }
}

impl<I: Id, T> IndexMut<I> for Table<I, T> {
    #[inline(always)]
    fn index_mut(&mut self, id: I) -> &mut T {
        match self.rows.as_mut_slice() {
            [only] => {
                debug_assert_eq!(id.index(), 0, "an id of another table");
                only
            }
            rows => &mut rows[id.index()],
        }
    }
}

impl<I, T: fmt::Debug> fmt::Debug for Table<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.rows).finish()
    }
}
