//! Expressions as NuSMV writes them: scripts compare what it prints.
//!
//! Connectives and temporal operators of two operands always stand in parentheses, temporal operators of linear time have a blank in front. Of other
//! operators, operands that do not bind more stand in parentheses.

use super::show::{real, word};
use super::syntax::{Dyad, Expr, ExprId, File, Infix, Modal};
use std::fmt::Write;

/// How tightly a text holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bond {
    Modal,
    Comparison,
    In,
    Union,
    Shift,
    Sum,
    Product,
    Concat,
    Prefix,
    /// In parentheses of its own, or one word.
    Closed,
}

/// An expression as NuSMV writes it.
pub(super) fn written(file: &File, id: ExprId) -> String {
    Writer { file }.expression(id).0
}

struct Writer<'f> {
    file: &'f File,
}

type Written = (String, Bond);

fn closed(text: String) -> Written {
    (text, Bond::Closed)
}

impl Writer<'_> {
    /// The text of an operand of an operator that binds so much.
    fn operand(&self, id: ExprId, outer: Bond) -> String {
        let (text, bond) = self.expression(id);
        if bond <= outer { format!("({text})") } else { text }
    }
    fn all(&self, ids: &[ExprId], between: &str) -> String {
        let texts: Vec<String> = ids.iter().map(|&id| self.expression(id).0).collect();
        texts.join(between)
    }
    /// Bounds of a temporal operator.
    fn bounds(&self, bounds: &Option<(ExprId, ExprId)>, between: &str) -> Option<String> {
        let (from, to) = bounds.as_ref()?;
        Some(format!("{}{between}{}", self.expression(*from).0, self.expression(*to).0))
    }
    fn expression(&self, id: ExprId) -> Written {
        match self.file.expr(id) {
            Expr::Bool(true) => closed("TRUE".into()),
            Expr::Bool(false) => closed("FALSE".into()),
            Expr::Int(value) => closed(value.to_string()),
            Expr::Real(value) => closed(real(value)),
            Expr::Bits { signed, width, value } => closed(word(*width, value, *signed)),
            Expr::Name(name) => closed(name.to_string()),
            Expr::Itself => closed("self".into()),
            Expr::Dot(base, field) => closed(format!("{}.{field}", self.operand(*base, Bond::Prefix))),
            Expr::Index(base, index) => {
                closed(format!("{}[{}]", self.operand(*base, Bond::Prefix), self.expression(*index).0))
            }
            Expr::Slice(base, high, low) => {
                let bits = format!("{} : {}", self.expression(*high).0, self.expression(*low).0);
                closed(format!("{}[{bits}]", self.operand(*base, Bond::Prefix)))
            }
            Expr::Not(inner) => (format!("!{}", self.operand(*inner, Bond::Prefix)), Bond::Prefix),
            Expr::Minus(inner) => (format!("-{}", self.operand(*inner, Bond::Prefix)), Bond::Prefix),
            Expr::Infix(infix, operands) => self.infix(*infix, operands),
            Expr::Choice(condition, yes, no) => {
                let [condition, yes, no] = [condition, yes, no].map(|&part| self.expression(part).0);
                closed(format!(" ({condition} ? {yes} : {no}) "))
            }
            Expr::Case(branches) => {
                let mut text = String::from("case\n");
                for (condition, value) in branches {
                    let (condition, value) = (self.expression(*condition).0, self.expression(*value).0);
                    let _ = writeln!(text, "{condition} : {value};");
                }
                closed(text + "esac")
            }
            Expr::Set(elements) => match elements[..] {
                [only] => self.expression(only),
                _ => self.chain(elements, "union", Bond::Union),
            },
            Expr::Range(low, high) => {
                closed(format!("({} .. {})", self.expression(*low).0, self.expression(*high).0))
            }
            Expr::Call(name, arguments) => {
                // It puts a blank before the comma there, and nowhere else.
                let between = if &**name == "extend" { " , " } else { ", " };
                closed(format!("{name}({})", self.all(arguments, between)))
            }
            Expr::Next(inner) => closed(format!("next({})", self.expression(*inner).0)),
            Expr::Type(_) => closed("array".into()),
            Expr::List(elements) => closed(format!("[{}]", self.all(elements, ", "))),
            Expr::Modal(modal, bounds, inner) => self.modal(*modal, bounds, *inner),
            Expr::Dyad(dyad, bounds, left, right) => self.dyad(*dyad, bounds, *left, *right),
        }
    }
    /// Operands from the left to the right, those so far in parentheses.
    fn chain(&self, operands: &[ExprId], sign: &str, bond: Bond) -> Written {
        let mut text = self.operand(operands[0], bond);
        for (i, &operand) in operands[1..].iter().enumerate() {
            if i > 0 {
                text = format!("({text})");
            }
            text = format!("{text} {sign} {}", self.operand(operand, bond));
        }
        (text, bond)
    }
    fn infix(&self, infix: Infix, operands: &[ExprId]) -> Written {
        let (sign, bond) = match infix {
            Infix::And => ("&", Bond::Closed),
            Infix::Or => ("|", Bond::Closed),
            Infix::Xor => ("xor", Bond::Closed),
            Infix::Xnor => ("xnor", Bond::Closed),
            Infix::Implies => ("->", Bond::Closed),
            Infix::Iff => ("<->", Bond::Closed),
            Infix::Eq => ("=", Bond::Comparison),
            Infix::Ne => ("!=", Bond::Comparison),
            Infix::Lt => ("<", Bond::Comparison),
            Infix::Le => ("<=", Bond::Comparison),
            Infix::Gt => (">", Bond::Comparison),
            Infix::Ge => (">=", Bond::Comparison),
            Infix::In => ("in", Bond::In),
            Infix::Union => ("union", Bond::Union),
            Infix::Shl => ("<<", Bond::Shift),
            Infix::Shr => (">>", Bond::Shift),
            Infix::Add => ("+", Bond::Sum),
            Infix::Sub => ("-", Bond::Sum),
            Infix::Mul => ("*", Bond::Product),
            Infix::Div => ("/", Bond::Product),
            Infix::Mod => ("mod", Bond::Product),
            Infix::Concat => ("::", Bond::Concat),
        };
        if bond < Bond::Closed {
            return self.chain(operands, sign, bond);
        }
        let mut text = self.expression(operands[0]).0;
        for &operand in &operands[1..] {
            text = format!("({text} {sign} {})", self.expression(operand).0);
        }
        closed(text)
    }
    fn modal(&self, modal: Modal, bounds: &Option<(ExprId, ExprId)>, inner: ExprId) -> Written {
        let (linear, branching) = match modal {
            Modal::X => ("X", ""),
            Modal::F => ("F", ""),
            Modal::G => ("G", ""),
            Modal::Y => ("Y", ""),
            Modal::Z => ("Z", ""),
            Modal::H => ("H", ""),
            Modal::O => ("O", ""),
            Modal::EX => ("", "EX"),
            Modal::AX => ("", "AX"),
            Modal::EF => ("", "EF"),
            Modal::AF => ("", "AF"),
            Modal::EG => ("", "EG"),
            Modal::AG => ("", "AG"),
        };
        let operator = match (linear, self.bounds(bounds, if linear.is_empty() { ".." } else { "," })) {
            ("", None) => branching.to_owned(),
            ("", Some(bounds)) => format!("{}B{} {bounds}", &branching[..1], &branching[1..]),
            (_, None) => format!(" {linear}"),
            (_, Some(bounds)) => format!(" {linear} [{bounds}]"),
        };
        // What has bounds is written as if nothing around it, or in it, needed parentheses.
        match bounds.is_some() && !linear.is_empty() {
            true => closed(format!("{operator} {}", self.expression(inner).0)),
            false => (format!("{operator} {}", self.operand(inner, Bond::Modal)), Bond::Modal),
        }
    }
    fn dyad(&self, dyad: Dyad, bounds: &Option<(ExprId, ExprId)>, left: ExprId, right: ExprId) -> Written {
        let negated = |id: ExprId| format!("!{}", self.operand(id, Bond::Prefix));
        closed(match (dyad, self.bounds(bounds, "..")) {
            (Dyad::U | Dyad::S, _) => {
                let sign = if dyad == Dyad::U { "U" } else { "S" };
                format!("({} {sign} {})", self.operand(left, Bond::Modal), self.operand(right, Bond::Modal))
            }
            // It knows these by their duals.
            (Dyad::V, _) => return (format!("!({} U {})", negated(left), negated(right)), Bond::Prefix),
            (Dyad::T, _) => return (format!("!({} S {})", negated(left), negated(right)), Bond::Prefix),
            (Dyad::EU | Dyad::AU, bounds) => {
                let path = if dyad == Dyad::EU { "E" } else { "A" };
                let until = bounds.map_or_else(|| "U".to_owned(), |bounds| format!("BU {bounds}"));
                let (left, right) = (self.operand(left, Bond::Modal), self.operand(right, Bond::Modal));
                format!("{path} [ {left} {until} {right} ] ")
            }
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests {
    use crate::smv::{Kind, parse};

    /// What NuSMV 2.6 prints of these.
    #[test]
    fn formulas_are_written_as_nusmv_writes_them() {
        let specs = [
            ("LTLSPEC G (a -> F b)", " G (a ->  F b)"),
            ("LTLSPEC !F G !X a", "!( F ( G !( X a)))"),
            ("LTLSPEC G[1,2] a | H[0,2] b", "( G [1,2] a |  H [0,2] b)"),
            ("LTLSPEC a -> X F [0,3] b", "(a ->  X  F [0,3] b)"),
            ("LTLSPEC Z a | O b & a xnor b", "(( Z a | ( O b & a)) xnor b)"),
            ("LTLSPEC a U b U a", "((a U b) U a)"),
            ("LTLSPEC (X a) S F b", "(( X a) S ( F b))"),
            ("LTLSPEC a V b", "!(!a U !b)"),
            ("LTLSPEC H b T TRUE", "!(!( H b) S !TRUE)"),
            ("LTLSPEC F (k in 1..2)", " F k in (1 .. 2)"),
            ("LTLSPEC F a = (b <-> a)", " F a = (b <-> a)"),
            ("LTLSPEC F k+1 > 2 -> G (a != b)", "( F k + 1 > 2 ->  G a != b)"),
            ("CTLSPEC E [a U b] & !A [ a U b & a]", "(E [ a U b ]  & !A [ a U (b & a) ] )"),
            ("CTLSPEC AX !EX (a & EF b)", "AX !(EX (a & EF b))"),
            ("CTLSPEC EBF 0..3 a | ABG 1..2 (EG b -> AF a)", "(EBF 0..3 a | ABG 1..2 (EG b -> AF a))"),
            ("CTLSPEC A [a BU 1..3 b]", "A [ a BU 1..3 b ] "),
            ("CTLSPEC E [ABF 0..2 a U !EX (E [a U b])]", "E [ (ABF 0..2 a) U !(EX E [ a U b ] ) ] "),
            ("CTLSPEC A [k = 2 U AX AF a]", "A [ k = 2 U (AX (AF a)) ] "),
            ("INVARSPEC w >> 1 = -0sd4_1 | (w * 0sd4_2) + w < w", "(w >> 1 = -0sd4_1 | w * 0sd4_2 + w < w)"),
            (
                "INVARSPEC k * 2 + 1 - 3 * (k + 1) < 2 & count(a, b) = 1",
                "((k * 2 + 1) - 3 * (k + 1) < 2 & count(a, b) = 1)",
            ),
            (
                "INVARSPEC extend(w, 2) = resize(w, 6) & word1(a) = 0ub1_1",
                "(extend(w , 2) = resize(w, 6) & word1(a) = 0ud1_1)",
            ),
            ("INVARSPEC (a & b) = (b | a)", "(a & b) = (b | a)"),
            (
                "INVARSPEC !(a & b) & !!a & -k < 2 & -(k + 1) < 0",
                "(((!(a & b) & !(!a)) & -k < 2) & -(k + 1) < 0)",
            ),
            ("INVARSPEC k in {1, 2, 3} ? a : b", " (k in (1 union 2) union 3 ? a : b) "),
            ("INVARSPEC case a : b; TRUE : !b; esac", "case\na : b;\nTRUE : !b;\nesac"),
        ];
        for (spec, expected) in specs {
            let model =
                format!("MODULE main\nVAR a : boolean; b : boolean; k : 0..3; w : signed word[4];\n{spec}\n");
            let model = parse(model.as_bytes()).unwrap();
            assert_eq!(model.specifications()[0].text, expected, "{spec}");
        }
    }

    #[test]
    fn specifications_have_the_order_of_nusmv() {
        let text = "MODULE main\nVAR a : sub(b.z); b : sub(TRUE); c : other;\nINVARSPEC a.z\nLTLSPEC NAME m := F a.z\nCTLSPEC AG b.z\nCOMPUTE MAX [a.z, b.z]\n\
            MODULE sub(q)\nVAR z : boolean;\nINVARSPEC NAME s := z -> q;\nMODULE other\nVAR d : sub(d.z);\nINVARSPEC d.z\n";
        let mut model = parse(text.as_bytes()).unwrap();
        let all = model.specifications();
        let seen: Vec<(&str, &str)> =
            all.iter().map(|s| (&*s.inside, s.name.as_deref().unwrap_or("-"))).collect();
        let expected = [
            ("", "-"),
            ("", "-"),
            ("", "m"),
            ("a", "a.s"),
            ("b", "b.s"),
            ("c.d", "c.d.s"),
            ("c", "-"),
            ("", "-"),
        ];
        assert_eq!(seen, expected);
        for spec in &all {
            let name = spec.property.map(|p| model.system.properties[p].label());
            match &spec.name {
                Some(given) => assert_eq!(name.as_ref(), Some(given)),
                None => assert_eq!(name.is_none(), spec.kind == Kind::Compute),
            }
        }
        let added = model.add_specification(Kind::Ltl, "G F z IN c.d").unwrap();
        assert_eq!((&*added.text, &*added.inside), (" G ( F z)", "c.d"));
        assert_eq!(added.property, Some(model.system.properties.len() - 1));
        assert_eq!(model.system.validate(), Ok(()));
        let error = |model: &mut crate::smv::Smv, kind, text| {
            model.add_specification(kind, text).unwrap_err().to_string()
        };
        assert!(error(&mut model, Kind::Ltl, "F z IN e").contains("`e`, which is no instance"));
        assert!(error(&mut model, Kind::Invariant, "F a.z").contains("column 1"));
        assert!(error(&mut model, Kind::Compute, "a.z").contains("true or false"));
        assert!(
            model.condition("next(a.z) = a.z", true).is_ok() && model.condition("next(a.z)", false).is_err()
        );
    }

    #[test]
    fn definitions_have_values() {
        let text = "MODULE main\nVAR k : 0..3; b : boolean;\nIVAR i : boolean;\nCONSTANTS red, green;\nDEFINE twice := 2 * k; color := b ? red : green; seen := i & b; set := {k, 1};\n";
        let model = parse(text.as_bytes()).unwrap();
        let definitions = model.definitions();
        assert_eq!(definitions.names().collect::<Vec<_>>(), ["twice", "color"]);
        let terms = &model.system.terms;
        let value = |var| match terms.sort(var) {
            indubit_term::Sort::Bool => indubit_term::Value::Bool(true),
            _ => indubit_term::Value::bits(2, 3u32),
        };
        assert_eq!(definitions.values(&value), ["6", "red"]);
        assert_eq!(model.n_values(model.system.states[0].current), Some(4u32.into()));
    }
}
