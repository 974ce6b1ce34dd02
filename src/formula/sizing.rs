//! Names of the sizing questions: the smallest number of servers for a bound on the wait, and for
//! a drain in time. The mathematics is in `theory::staffing`.

use super::{Family, FormulaError, Params, Solved};
use crate::theory::domain::positive;
use crate::theory::mmc::Mmc;
use crate::theory::staffing::{self, Drain};

const WAIT: &str = "smallest c with P(Wq>t)<=alpha, M/M/c";
const DRAIN: &str = "smallest c with drain <= D after an outage (fluid)";

pub(super) const FAMILY: Family = Family {
    models: &[WAIT, DRAIN],
    open,
};

fn open(model: &str, params: &Params) -> Result<Solved, FormulaError> {
    if model == WAIT {
        wait(params)
    } else {
        drain(params)
    }
}

fn wait(params: &Params) -> Result<Solved, FormulaError> {
    let lambda = params.number("lambda")?;
    let mu = 1.0 / positive("mean_service", params.number("mean_service")?)?;
    let (t, alpha) = (params.number("t")?, params.number("alpha")?);
    let c = staffing::servers_for_wait(lambda, mu, t, alpha)?;
    let (queue, fewer) = (
        Mmc::new(lambda, mu, c)?,
        Mmc::new(lambda, mu, (c - 1).max(1))?,
    );
    let at_once = t.abs() < f64::MIN_POSITIVE;
    let names: &[&str] = if at_once {
        &[
            "offered_load",
            "min_servers",
            "p_wait_gt_t_at_c",
            "p_wait_gt_t_at_c_minus_1",
            "utilisation",
            "mean_wait_at_c",
            "halfin_whitt_beta",
            "square_root_staffing",
        ]
    } else {
        &[
            "offered_load",
            "min_servers",
            "p_wait_gt_t_at_c",
            "p_wait_gt_t_at_c_minus_1",
            "utilisation",
            "mean_wait_at_c",
        ]
    };
    Ok(Solved::new(names, move |name| {
        let number = match name {
            "offered_load" => queue.offered_load(),
            "min_servers" => return Some(c.into()),
            "p_wait_gt_t_at_c" => queue.p_wait_exceeds(t),
            "p_wait_gt_t_at_c_minus_1" if c == 1 => 1.0,
            "p_wait_gt_t_at_c_minus_1" => fewer.p_wait_exceeds(t),
            "utilisation" => queue.utilization(),
            "mean_wait_at_c" => queue.mean_wait(),
            "halfin_whitt_beta" if at_once => staffing::halfin_whitt_beta(alpha).ok()?,
            "square_root_staffing" if at_once => {
                let a = queue.offered_load();
                return staffing::square_root_staffing(a, alpha)
                    .ok()
                    .map(Into::into);
            }
            _ => return None,
        };
        Some(number.into())
    }))
}

fn drain(params: &Params) -> Result<Solved, FormulaError> {
    let (lambda, service) = (params.number("lambda")?, params.number("service")?);
    let target = positive("target", params.number("target")?)?;
    let arrived = lambda * params.number("outage")?;
    let backlog = match params.text("bound")? {
        "none" => arrived,
        _ => arrived.min(params.number("bound")?),
    };
    let drain = Drain::new(lambda, service, backlog)?;
    let c = drain.servers(target);
    let names = [
        "min_servers",
        "drain_at_c",
        "backlog",
        "drain_at_c_minus_1",
        "servers_real",
    ];
    Ok(Solved::new(&names, move |name| {
        let number = match name {
            "min_servers" => return Some(c.into()),
            "drain_at_c" => drain.time(c),
            "drain_at_c_minus_1" => {
                let time = drain.time(c.saturating_sub(1));
                return Some(if time.is_finite() {
                    time.into()
                } else {
                    super::Value::Never
                });
            }
            "backlog" => backlog,
            "servers_real" => drain.servers_real(target),
            _ => return None,
        };
        Some(number.into())
    }))
}
