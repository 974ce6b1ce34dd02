//! Gauss-Legendre nodes on [-1, 1] and the integrals of the interpolant over a part of it.

/// Nodes and weights of one panel.
#[derive(Clone, Debug)]
pub(crate) struct Legendre {
    pub(crate) nodes: Vec<f64>,
    pub(crate) weights: Vec<f64>,
}

impl Legendre {
    /// `n` nodes, by Newton's method on the Legendre polynomial.
    pub(crate) fn new(n: usize) -> Self {
        let (mut nodes, mut weights) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for i in 0..n {
            let mut z = -(std::f64::consts::PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
            let mut slope = 1.0;
            for _ in 0..100 {
                let p = polynomials(n + 1, z);
                slope = n as f64 * (z * p[n] - p[n - 1]) / (z * z - 1.0);
                let step = p[n] / slope;
                z -= step;
                if step.abs() < 1e-16 {
                    break;
                }
            }
            nodes.push(z);
            weights.push(2.0 / ((1.0 - z * z) * slope * slope));
        }
        Self { nodes, weights }
    }

    /// Weights w with sum w_i f(z_i) = integral of the interpolant of f from `z` to 1.
    pub(crate) fn weights_above(&self, z: f64) -> Vec<f64> {
        let n = self.nodes.len();
        let at = polynomials(n + 1, z);
        // The integral of P_m from z to 1 is (P_{m-1}(z) - P_{m+1}(z))/(2m+1), and 1 - z for m=0;
        // the coefficient of P_m is (2m+1)/2 sum w_i f(z_i) P_m(z_i).
        let part = |m: usize| if m == 0 { 1.0 - z } else { at[m - 1] - at[m + 1] } / 2.0;
        let weight = |(&node, &weight): (&f64, &f64)| {
            let p = polynomials(n, node);
            weight * (0..n).map(|m| p[m] * part(m)).sum::<f64>()
        };
        self.nodes.iter().zip(&self.weights).map(weight).collect()
    }
}

/// P_0(z), ..., P_last(z).
fn polynomials(last: usize, z: f64) -> Vec<f64> {
    let mut p = vec![1.0, z];
    for m in 1..last {
        let m1 = m as f64;
        p.push(((2.0 * m1 + 1.0) * z * p[m] - m1 * p[m - 1]) / (m1 + 1.0));
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrates_whole_and_in_part() {
        let rule = Legendre::new(20);
        let f = |z: f64| z.exp();
        let whole: f64 = rule
            .nodes
            .iter()
            .zip(&rule.weights)
            .map(|(&z, w)| w * f(z))
            .sum();
        assert!((whole - (1.0_f64.exp() - (-1.0_f64).exp())).abs() < 1e-14);
        let above = rule.weights_above(0.3);
        let part: f64 = rule.nodes.iter().zip(&above).map(|(&z, w)| w * f(z)).sum();
        assert!((part - (1.0_f64.exp() - 0.3_f64.exp())).abs() < 1e-14);
    }
}
