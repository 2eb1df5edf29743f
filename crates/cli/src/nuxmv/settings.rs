//! Variables of a session that scripts set: those that change something here, those of NuSMV that do not, and whatever else a script calls one.

use super::commands::similar;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Variables that have a value from the beginning.
const DEFAULTS: &[(&str, &str)] = &[
    ("bmc_length", "10"),
    ("bmc_loopback", "*"),
    ("counter_examples", "1"),
    ("default_simulation_steps", "10"),
    ("default_trace_plugin", "0"),
    ("on_failure_script_quits", "0"),
    ("pp_list", ""),
    ("shown_states", "25"),
    ("traces_hiding_prefix", "__"),
    ("traces_show_defines", "1"),
    ("verbose_level", "0"),
];

/// Variables of NuSMV and nuXmv that say how those search. They are kept, and change nothing.
const TUNING: &[&str] = &[
    "affinity",
    "ag_only_search",
    "backward_compatibility",
    "bdd_static_order_heuristics",
    "bmc_dimacs_filename",
    "bmc_force_pltl_tableau",
    "bmc_inc_invar_alg",
    "bmc_invar_alg",
    "bmc_invar_dimacs_filename",
    "bmc_optimized_tableau",
    "bmc_sbmc_gf_fg_opt",
    "check_fsm",
    "check_invar_bddbmc_heuristic",
    "check_invar_bddbmc_threshold",
    "check_invar_forward_backward_heuristic",
    "check_invar_strategy",
    "cone_of_influence",
    "conj_part_threshold",
    "daggifier_enabled",
    "disable_syntactic_checks",
    "dynamic_reorder",
    "enable_sexp2bdd_caching",
    "forward_search",
    "ignore_init_file",
    "image_cluster_size",
    "input_file",
    "input_order_file",
    "iwls95preorder",
    "keep_single_value_vars",
    "ltl_tableau_forward_search",
    "msat_native_integer",
    "open_path",
    "output_order_file",
    "output_word_format",
    "parser_is_lax",
    "partition_method",
    "prop_print_method",
    "quiet_mode",
    "rbc_inlining",
    "reorder_method",
    "sat_solver",
    "sexp_inlining",
    "trans_order_file",
    "type_checking_warning_on",
    "use_coi_size_sorting",
    "vars_order_type",
];

/// The variables of a session, and their values.
pub struct Settings(BTreeMap<String, String>);

impl Settings {
    pub fn new() -> Settings {
        Settings(DEFAULTS.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }
    /// All of them, as NuSMV lists them.
    pub fn list(&self) -> String {
        self.0.iter().map(|(name, value)| format!("{name:<50}\"{value}\"\n")).collect()
    }
    /// The names there are, set or not.
    pub fn names(&self) -> Vec<String> {
        let known = DEFAULTS.iter().map(|d| d.0).chain(TUNING.iter().copied());
        let mut names: Vec<String> = known.map(str::to_owned).chain(self.0.keys().cloned()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
    /// Set one. What nobody knows is kept all the same; what comes back is a doubt about the name.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Option<String>, String> {
        if name == "pp_list" && !value.trim().is_empty() {
            return Err(format!(
                "models are read as they are: run {} on the file first, and read what comes out",
                value.trim()
            ));
        }
        if ["bmc_length", "default_simulation_steps", "default_trace_plugin", "shown_states"].contains(&name)
        {
            value.parse::<u32>().map_err(|_| format!("{name} wants a number, not `{value}`"))?;
        }
        let value = if value.is_empty() && name != "pp_list" { "1" } else { value };
        let known = self.names();
        let doubt = match (known.iter().any(|n| n == name), similar(known.iter().map(|n| &**n), name)) {
            (false, close) if !close.is_empty() => Some(format!(
                "`{name}` is a variable that nobody knows; did you mean {}?",
                close.join(" or ")
            )),
            _ => None,
        };
        self.0.insert(name.to_owned(), value.to_owned());
        Ok(doubt)
    }
    pub fn unset(&mut self, name: &str) {
        self.0.remove(name);
    }
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
    /// Is it set, and not to what means no?
    pub fn is_on(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| !["0", "FALSE", "no", "off", ""].contains(&value))
    }
    /// A number, or its value at the beginning.
    pub fn number(&self, name: &str) -> u32 {
        let default = || DEFAULTS.iter().find(|d| d.0 == name)?.1.parse().ok();
        self.get(name).and_then(|value| value.parse().ok()).or_else(default).unwrap_or(0)
    }
    /// The model to read if nobody says which.
    pub fn input_file(&self) -> Option<PathBuf> {
        self.get("input_file").map(PathBuf::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_doubts() {
        let mut settings = Settings::new();
        assert_eq!((settings.number("bmc_length"), settings.is_on("counter_examples")), (10, true));
        assert_eq!(settings.set("bmc_length", "3"), Ok(None));
        assert!(settings.set("bmc_length", "x").is_err() && settings.set("pp_list", "cpp").is_err());
        assert_eq!(settings.set("on_failure_script_quits", ""), Ok(None));
        assert!(settings.is_on("on_failure_script_quits"));
        settings.unset("bmc_length");
        assert_eq!(settings.number("bmc_length"), 10);
        assert!(settings.set("counter_exampels", "0").is_ok_and(|doubt| doubt.is_some()));
        assert_eq!(settings.set("my_own_thing", "0"), Ok(None));
        assert!(settings.list().contains("bmc_loopback                                      \"*\"\n"));
    }
}
