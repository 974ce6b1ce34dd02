//! Small dense matrices with the few operations the closed forms need. Not a linear algebra
//! library: everything inverted here is an M-matrix, for which elimination needs no pivots and
//! subtracts on the diagonal only.

use std::ops::{Index, IndexMut};

/// A square matrix, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zero(size: usize) -> Self {
        Self {
            size,
            cells: vec![0.0; size * size],
        }
    }

    pub(crate) fn identity(size: usize) -> Self {
        let mut matrix = Self::zero(size);
        for i in 0..size {
            matrix[(i, i)] = 1.0;
        }
        matrix
    }

    pub(crate) fn row(&self, i: usize) -> &[f64] {
        &self.cells[i * self.size..(i + 1) * self.size]
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        let mut product = Self::zero(self.size);
        for (i, row) in product.cells.chunks_exact_mut(self.size).enumerate() {
            for (k, &factor) in self.row(i).iter().enumerate() {
                add(row, other.row(k), factor);
            }
        }
        product
    }

    /// self + factor * other.
    pub(crate) fn plus(mut self, other: &Self, factor: f64) -> Self {
        add(&mut self.cells, &other.cells, factor);
        self
    }

    pub(crate) fn scaled(mut self, factor: f64) -> Self {
        for cell in &mut self.cells {
            *cell *= factor;
        }
        self
    }

    /// v M, with the row vector on the left.
    pub(crate) fn applied_to(&self, vector: &[f64]) -> Vec<f64> {
        let mut result = vec![0.0; self.size];
        for (k, &factor) in vector.iter().enumerate() {
            add(&mut result, self.row(k), factor);
        }
        result
    }

    /// The sum of each row: M 1.
    pub(crate) fn row_sums(&self) -> Vec<f64> {
        (0..self.size).map(|i| self.row(i).iter().sum()).collect()
    }

    /// The inverse of an M-matrix (positive diagonal, nothing positive beside it), by Gauss and
    /// Jordan without pivots.
    pub(crate) fn inverse(mut self) -> Self {
        let mut inverse = Self::identity(self.size);
        for k in 0..self.size {
            let pivot = self[(k, k)];
            for matrix in [&mut self, &mut inverse] {
                for cell in &mut matrix.cells[k * matrix.size..(k + 1) * matrix.size] {
                    *cell /= pivot;
                }
            }
            let (mine, others) = (self.row(k).to_vec(), inverse.row(k).to_vec());
            for i in (0..self.size).filter(|&i| i != k) {
                let factor = -self[(i, k)];
                let span = i * self.size..(i + 1) * self.size;
                add(&mut self.cells[span.clone()], &mine, factor);
                add(&mut inverse.cells[span], &others, factor);
            }
        }
        inverse
    }
}

fn add(to: &mut [f64], from: &[f64], factor: f64) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.cells[i * self.size + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.cells[i * self.size + j]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_of_an_m_matrix_multiplies_to_one() {
        let mut matrix = Matrix::identity(6).scaled(3.0);
        for i in 0..5 {
            matrix[(i, i + 1)] = -1.0;
            matrix[(i + 1, i)] = -0.5 - i as f64 / 10.0;
        }
        let product = matrix.clone().inverse().times(&matrix);
        let rest = product.plus(&Matrix::identity(6), -1.0);
        assert!(rest.cells.iter().all(|cell| cell.abs() < 1e-15));
    }
}
