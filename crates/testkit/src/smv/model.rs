//! Models as trees: variables, expressions, assignments; their texts, and what they mean.

use fastrand::Rng;

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// `TRUE` or `FALSE`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A symbol of the enumeration, `s0`, `s1` or `s2`.
    Symbol(u8),
    /// A word of two bits.
    Word(u8),
}

impl Value {
    fn text(self) -> String {
        match self {
            Value::Bool(true) => "TRUE".into(),
            Value::Bool(false) => "FALSE".into(),
            Value::Int(n) => n.to_string(),
            Value::Symbol(n) => format!("s{n}"),
            Value::Word(n) => format!("0ud2_{n}"),
        }
    }
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Bool,
    Range(i64, i64),
    Symbols,
    Word,
}

impl Type {
    fn text(self) -> String {
        match self {
            Type::Bool => "boolean".into(),
            Type::Range(low, high) => format!("{low}..{high}"),
            Type::Symbols => "{s0, s1, s2}".into(),
            Type::Word => "word[2]".into(),
        }
    }
    fn values(self) -> Vec<Value> {
        match self {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Range(low, high) => (low..=high).map(Value::Int).collect(),
            Type::Symbols => (0..3).map(Value::Symbol).collect(),
            Type::Word => (0..4).map(Value::Word).collect(),
        }
    }
    fn random(rng: &mut Rng) -> Type {
        match rng.u8(..6) {
            0 | 1 => Type::Bool,
            2 => {
                let low = rng.i64(-1..2);
                Type::Range(low, low + rng.i64(1..4))
            }
            3 => Type::Range(0, 2),
            4 => Type::Symbols,
            _ => Type::Word,
        }
    }
}

/// An operator between two expressions; what it means depends on the values.
#[derive(Clone, Copy, Debug)]
enum Op {
    And,
    Or,
    Xor,
    Iff,
    Implies,
    Eq,
    Ne,
    Lt,
    Le,
    Add,
    Sub,
    Mul,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr(Node);

#[derive(Clone, Debug)]
enum Node {
    Const(Value),
    /// A variable, by its number, now or after the step.
    Var(usize, String, bool),
    /// A name that stands for something: a definition, or a parameter.
    Named(String, Box<Node>),
    Not(Box<Node>),
    Between(Op, Box<Node>, Box<Node>),
    /// One of some values.
    In(Box<Node>, Vec<Value>),
    If(Box<Node>, Box<Node>, Box<Node>),
}

impl Expr {
    /// As SMV writes it.
    pub fn text(&self) -> String {
        self.0.text()
    }
    /// Does it hold, in a step or in a state?
    pub fn holds(&self, now: &[Value], then: &[Value]) -> bool {
        self.0.value(now, then) == Value::Bool(true)
    }
}

impl Node {
    fn any(&self, is: &dyn Fn(&Node) -> bool) -> bool {
        is(self)
            || match self {
                Node::Const(_) | Node::Var(..) => false,
                Node::Named(_, a) | Node::Not(a) | Node::In(a, _) => a.any(is),
                Node::Between(_, a, b) => a.any(is) || b.any(is),
                Node::If(a, b, c) => a.any(is) || b.any(is) || c.any(is),
            }
    }
    fn text(&self) -> String {
        match self {
            Node::Const(value) => value.text(),
            Node::Var(_, name, false) | Node::Named(name, _) => name.clone(),
            Node::Var(_, name, true) => format!("next({name})"),
            Node::Not(a) => format!("!({})", a.text()),
            Node::Between(op, a, b) => {
                let sign = match op {
                    Op::And => "&",
                    Op::Or => "|",
                    Op::Xor => "xor",
                    Op::Iff => "<->",
                    Op::Implies => "->",
                    Op::Eq => "=",
                    Op::Ne => "!=",
                    Op::Lt => "<",
                    Op::Le => "<=",
                    Op::Add => "+",
                    Op::Sub => "-",
                    Op::Mul => "*",
                };
                format!("({} {sign} {})", a.text(), b.text())
            }
            Node::In(a, values) => {
                let list: Vec<String> = values.iter().map(|v| v.text()).collect();
                format!("({} in {{{}}})", a.text(), list.join(", "))
            }
            Node::If(c, a, b) => format!("({} ? {} : {})", c.text(), a.text(), b.text()),
        }
    }
    fn value(&self, now: &[Value], then: &[Value]) -> Value {
        match self {
            Node::Const(value) => *value,
            Node::Var(number, _, false) => now[*number],
            Node::Var(number, _, true) => then[*number],
            Node::Named(_, a) => a.value(now, then),
            Node::Not(a) => match a.value(now, then) {
                Value::Bool(b) => Value::Bool(!b),
                Value::Word(w) => Value::Word(!w & 3),
                other => panic!("no negation of {other:?}"),
            },
            Node::In(a, values) => Value::Bool(values.contains(&a.value(now, then))),
            Node::If(c, a, b) => {
                if c.value(now, then) == Value::Bool(true) {
                    a.value(now, then)
                } else {
                    b.value(now, then)
                }
            }
            Node::Between(op, a, b) => between(*op, a.value(now, then), b.value(now, then)),
        }
    }
}

fn between(op: Op, a: Value, b: Value) -> Value {
    match (op, a, b) {
        (Op::Eq, a, b) => Value::Bool(a == b),
        (Op::Ne, a, b) => Value::Bool(a != b),
        (Op::And, Value::Bool(a), Value::Bool(b)) => Value::Bool(a && b),
        (Op::Or, Value::Bool(a), Value::Bool(b)) => Value::Bool(a || b),
        (Op::Xor, Value::Bool(a), Value::Bool(b)) => Value::Bool(a != b),
        (Op::Iff, Value::Bool(a), Value::Bool(b)) => Value::Bool(a == b),
        (Op::Implies, Value::Bool(a), Value::Bool(b)) => Value::Bool(!a || b),
        (Op::Lt, Value::Int(a), Value::Int(b)) => Value::Bool(a < b),
        (Op::Le, Value::Int(a), Value::Int(b)) => Value::Bool(a <= b),
        (Op::Add, Value::Int(a), Value::Int(b)) => Value::Int(a + b),
        (Op::Sub, Value::Int(a), Value::Int(b)) => Value::Int(a - b),
        (Op::Mul, Value::Int(a), Value::Int(b)) => Value::Int(a * b),
        (Op::Lt, Value::Word(a), Value::Word(b)) => Value::Bool(a < b),
        (Op::Le, Value::Word(a), Value::Word(b)) => Value::Bool(a <= b),
        (Op::Add, Value::Word(a), Value::Word(b)) => Value::Word((a + b) & 3),
        (Op::Sub, Value::Word(a), Value::Word(b)) => Value::Word((a + 4 - b) & 3),
        (Op::Mul, Value::Word(a), Value::Word(b)) => Value::Word((a * b) & 3),
        (Op::And, Value::Word(a), Value::Word(b)) => Value::Word(a & b),
        (Op::Or, Value::Word(a), Value::Word(b)) => Value::Word(a | b),
        (Op::Xor, Value::Word(a), Value::Word(b)) => Value::Word(a ^ b),
        (op, a, b) => panic!("no {op:?} between {a:?} and {b:?}"),
    }
}

/// A variable.
#[derive(Clone, Debug)]
struct Variable {
    /// In `main`, `a.v` if it is in an instance.
    path: String,
    /// Where it is declared.
    name: String,
    r#type: Type,
    /// Free in each step?
    is_input: bool,
    /// The instance it is in.
    instance: Option<usize>,
    init: Option<Vec<Value>>,
    /// Conditions, and what can come next under the first one that holds.
    next: Option<Vec<(Node, Vec<Node>)>>,
}

/// A model: `main`, and instances of one module with a parameter.
#[derive(Clone, Debug)]
pub struct Model {
    variables: Vec<Variable>,
    /// What is given for the parameter of each instance.
    arguments: Vec<Node>,
    /// Definitions of `main`.
    definitions: Vec<(String, Node)>,
    initially: Vec<Node>,
    steps: Vec<Node>,
    always: Vec<Node>,
    fairness: Vec<Node>,
    compassion: Vec<[Node; 2]>,
}

/// What expressions can be made of in a place.
struct Leaves<'l> {
    /// With the names they have there.
    variables: Vec<(usize, String, Type)>,
    named: Vec<(String, Node)>,
    /// Next values, too?
    is_step: bool,
    rng: &'l mut Rng,
}

impl Leaves<'_> {
    fn of(&mut self, wanted: fn(Type) -> bool) -> Option<Node> {
        let found: Vec<_> = self.variables.iter().filter(|(_, _, t)| wanted(*t)).cloned().collect();
        if found.is_empty() {
            return None;
        }
        let (number, name, _) = found[self.rng.usize(..found.len())].clone();
        Some(Node::Var(number, name, self.is_step && self.rng.bool()))
    }
    fn truth(&mut self, depth: usize) -> Node {
        let kind = self.rng.u8(..if depth == 0 { 6 } else { 12 });
        let between = |op, a, b| Node::Between(op, Box::new(a), Box::new(b));
        match kind {
            0 if !self.named.is_empty() => {
                let (name, body) = self.named[self.rng.usize(..self.named.len())].clone();
                Node::Named(name, Box::new(body))
            }
            0 | 1 => self.of(|t| t == Type::Bool).unwrap_or(Node::Const(Value::Bool(self.rng.bool()))),
            2 => match self.of(|t| t == Type::Symbols) {
                Some(a) => {
                    let op = if self.rng.bool() { Op::Eq } else { Op::Ne };
                    between(op, a, Node::Const(Value::Symbol(self.rng.u8(..3))))
                }
                None => self.truth(depth),
            },
            3 => match self.of(|t| matches!(t, Type::Range(..))) {
                Some(a) => Node::In(
                    Box::new(a),
                    vec![Value::Int(self.rng.i64(-1..2)), Value::Int(self.rng.i64(0..4))],
                ),
                None => self.truth(depth),
            },
            4 => {
                let op = [Op::Eq, Op::Ne, Op::Lt, Op::Le][self.rng.usize(..4)];
                let (a, b) = (self.number(depth), self.number(depth));
                between(op, a, b)
            }
            5 => {
                let op = [Op::Eq, Op::Ne, Op::Lt, Op::Le][self.rng.usize(..4)];
                let (a, b) = (self.word(depth), self.word(depth));
                between(op, a, b)
            }
            6 => Node::Not(Box::new(self.truth(depth - 1))),
            7 => {
                let (c, a, b) = (self.truth(depth - 1), self.truth(depth - 1), self.truth(depth - 1));
                Node::If(Box::new(c), Box::new(a), Box::new(b))
            }
            _ => {
                let op = [Op::And, Op::Or, Op::Xor, Op::Iff, Op::Implies][self.rng.usize(..5)];
                let (a, b) = (self.truth(depth - 1), self.truth(depth - 1));
                between(op, a, b)
            }
        }
    }
    fn number(&mut self, depth: usize) -> Node {
        if depth == 0 || self.rng.bool() {
            let constant = Node::Const(Value::Int(self.rng.i64(0..4)));
            return if self.rng.u8(..3) == 0 {
                constant
            } else {
                self.of(|t| matches!(t, Type::Range(..))).unwrap_or(constant)
            };
        }
        let op = [Op::Add, Op::Sub, Op::Mul][self.rng.usize(..3)];
        let (a, b) = (self.number(depth - 1), self.number(depth - 1));
        Node::Between(op, Box::new(a), Box::new(b))
    }
    fn word(&mut self, depth: usize) -> Node {
        if depth == 0 || self.rng.bool() {
            let constant = Node::Const(Value::Word(self.rng.u8(..4)));
            return if self.rng.u8(..3) == 0 {
                constant
            } else {
                self.of(|t| t == Type::Word).unwrap_or(constant)
            };
        }
        let (a, b) = (self.word(depth - 1), self.word(depth - 1));
        match self.rng.u8(..7) {
            0 => Node::Not(Box::new(a)),
            n => {
                let op = [Op::Add, Op::Sub, Op::Mul, Op::And, Op::Or, Op::Xor][usize::from(n) - 1];
                Node::Between(op, Box::new(a), Box::new(b))
            }
        }
    }
    /// What a variable of a type can become: one or several.
    fn choices(&mut self, r#type: Type) -> Vec<Node> {
        let constants = r#type.values();
        if self.rng.u8(..3) == 0 {
            let n = self.rng.usize(1..3);
            return (0..n).map(|_| Node::Const(constants[self.rng.usize(..constants.len())])).collect();
        }
        match r#type {
            Type::Bool => vec![self.truth(2)],
            Type::Word => vec![self.word(2)],
            Type::Symbols | Type::Range(..) => {
                let constant = Node::Const(constants[self.rng.usize(..constants.len())]);
                let same = self.variables.iter().find(|(_, _, t)| *t == r#type).cloned();
                vec![same.map_or(constant, |(number, name, _)| Node::Var(number, name, false))]
            }
        }
    }
    fn next(&mut self, r#type: Type) -> Vec<(Node, Vec<Node>)> {
        let mut branches = Vec::new();
        for _ in 0..self.rng.usize(..3) {
            let condition = self.truth(1);
            branches.push(match r#type {
                // Only where it is inside of the range.
                Type::Range(low, high) if self.rng.bool() => {
                    let value = self.number(2);
                    let bound =
                        |op, a: &Node, b: &Node| Node::Between(op, Box::new(a.clone()), Box::new(b.clone()));
                    let fits = bound(
                        Op::And,
                        &bound(Op::Le, &Node::Const(Value::Int(low)), &value),
                        &bound(Op::Le, &value, &Node::Const(Value::Int(high))),
                    );
                    (bound(Op::And, &condition, &fits), vec![value])
                }
                _ => (condition, self.choices(r#type)),
            });
        }
        branches.push((Node::Const(Value::Bool(true)), self.choices(r#type)));
        branches
    }
}

/// A random model.
pub(super) fn random(rng: &mut Rng) -> Model {
    let mut variables = Vec::new();
    let variable = |path: String, name: String, r#type: Type, is_input: bool, instance: Option<usize>| {
        Variable { path, name, r#type, is_input, instance, init: None, next: None }
    };
    for i in 0..rng.usize(1..3) {
        variables.push(variable(format!("x{i}"), format!("x{i}"), Type::random(rng), false, None));
    }
    if rng.bool() {
        variables.push(variable("i".into(), "i".into(), Type::Bool, true, None));
    }
    let n_instances = rng.usize(..3);
    let inner = if rng.bool() { Type::Bool } else { Type::random(rng) };
    for instance in 0..n_instances {
        variables.push(variable(format!("c{instance}.v"), "v".into(), inner, false, Some(instance)));
    }
    let mut model = Model {
        variables,
        arguments: Vec::new(),
        definitions: Vec::new(),
        initially: Vec::new(),
        steps: Vec::new(),
        always: Vec::new(),
        fairness: Vec::new(),
        compassion: Vec::new(),
    };
    if rng.bool() {
        let body = model.leaves(rng, false, false).truth(2);
        model.definitions.push(("d".into(), body));
    }
    for _ in 0..n_instances {
        // What is given may be about any variable of the model; inputs are none of a state.
        let argument = model.leaves(rng, false, false).truth(1);
        model.arguments.push(argument);
    }
    // The module says the same of each of its instances.
    let (template_init, template_next) = (rng.bool(), rng.u64(..));
    let init = vec![inner.values()[rng.usize(..inner.values().len())]];
    for number in 0..model.variables.len() {
        let Variable { r#type, is_input, instance, .. } = model.variables[number].clone();
        if is_input {
            continue;
        }
        match instance {
            Some(instance) => {
                let parameter = ("p".to_owned(), model.arguments[instance].clone());
                let own = &mut Rng::with_seed(template_next);
                let mut leaves = Leaves {
                    variables: vec![(number, "v".into(), r#type)],
                    named: vec![parameter],
                    is_step: false,
                    rng: own,
                };
                let next = leaves.next(r#type);
                model.variables[number].init = template_init.then(|| init.clone());
                model.variables[number].next = Some(next);
            }
            None => {
                let values = r#type.values();
                let n = rng.usize(..3);
                let init: Vec<Value> = (0..n).map(|_| values[rng.usize(..values.len())]).collect();
                let next = (rng.u8(..5) > 0).then(|| model.leaves(rng, false, true).next(r#type));
                model.variables[number].init = (!init.is_empty()).then_some(init);
                model.variables[number].next = next;
            }
        }
    }
    if rng.u8(..4) == 0 {
        let formula = model.leaves(rng, false, false).truth(2);
        model.initially.push(formula);
    }
    if rng.u8(..4) == 0 {
        let formula = model.leaves(rng, true, true).truth(2);
        model.steps.push(formula);
    }
    if rng.u8(..4) == 0 {
        let formula = model.leaves(rng, false, false).truth(2);
        model.always.push(formula);
    }
    for _ in 0..rng.usize(..3) {
        let formula = model.leaves(rng, false, true).truth(1);
        model.fairness.push(formula);
    }
    if rng.u8(..3) == 0 {
        let pair = [(); 2].map(|()| model.leaves(rng, false, true).truth(1));
        model.compassion.push(pair);
    }
    model
}

impl Model {
    fn leaves<'l>(&self, rng: &'l mut Rng, is_step: bool, with_inputs: bool) -> Leaves<'l> {
        // Of an input there is no next value.
        let is_leaf = |v: &Variable| !v.is_input || with_inputs && !is_step;
        let variables = self.variables.iter().enumerate().filter(|(_, v)| is_leaf(v));
        let variables = variables.map(|(number, v)| (number, v.path.clone(), v.r#type)).collect();
        Leaves { variables, named: self.definitions.clone(), is_step, rng }
    }
    /// A random formula about a state, or about a step and its inputs.
    pub fn condition(&self, rng: &mut Rng, depth: usize, is_step: bool) -> Expr {
        let with_inputs = is_step && rng.bool();
        Expr(self.leaves(rng, is_step && !with_inputs, with_inputs).truth(depth))
    }
    /// Does a formula mention next values or inputs? Then it is about steps.
    pub fn is_about_steps(&self, formula: &Expr) -> bool {
        let of_step = |node: &Node| match node {
            Node::Var(number, _, is_next) => *is_next || self.variables[*number].is_input,
            _ => false,
        };
        formula.0.any(&of_step)
    }
    /// A random formula about a state and the inputs of its step.
    pub fn atom(&self, rng: &mut Rng) -> Expr {
        Expr(self.leaves(rng, false, true).truth(1))
    }
    /// All values of the state variables, and of the inputs, with zeros for the others.
    pub(super) fn rows(&self, inputs: bool) -> Vec<Vec<Value>> {
        let mut rows = vec![Vec::new()];
        for variable in &self.variables {
            let mut values = variable.r#type.values();
            if variable.is_input != inputs {
                values.truncate(1);
            }
            let longer = |row: Vec<Value>| {
                let with = move |value: &Value| [&row[..], &[*value]].concat();
                values.iter().map(with).collect::<Vec<_>>()
            };
            rows = rows.into_iter().flat_map(longer).collect();
        }
        rows
    }
    /// A state with the inputs of its step.
    pub(super) fn joined(&self, state: &[Value], inputs: &[Value]) -> Vec<Value> {
        let both = self.variables.iter().zip(state.iter().zip(inputs));
        both.map(|(variable, (s, i))| if variable.is_input { *i } else { *s }).collect()
    }
    fn hold(formulas: &[Node], now: &[Value], then: &[Value]) -> bool {
        formulas.iter().all(|f| f.value(now, then) == Value::Bool(true))
    }
    /// Is it a state?
    pub(super) fn is_state(&self, state: &[Value]) -> bool {
        Model::hold(&self.always, state, state)
    }
    /// Can a run begin with it?
    pub(super) fn is_initial(&self, state: &[Value]) -> bool {
        let begins =
            |(v, value): (&Variable, &Value)| v.init.as_ref().is_none_or(|init| init.contains(value));
        self.variables.iter().zip(state).all(begins) && Model::hold(&self.initially, state, state)
    }
    /// Can this come after that, which has its inputs?
    pub(super) fn is_step(&self, now: &[Value], then: &[Value]) -> bool {
        let comes = |(v, value): (&Variable, &Value)| {
            v.next.as_ref().is_none_or(|branches| {
                let taken =
                    branches.iter().find(|(condition, _)| condition.value(now, then) == Value::Bool(true));
                taken.is_some_and(|(_, choices)| choices.iter().any(|c| c.value(now, then) == *value))
            })
        };
        self.variables.iter().zip(then).all(comes) && Model::hold(&self.steps, now, then)
    }
    /// Which of its fairness holds, and what its compassion says.
    pub(super) fn fairness(&self, now: &[Value]) -> (Vec<bool>, Vec<[bool; 2]>) {
        let holds = |formula: &Node| formula.value(now, now) == Value::Bool(true);
        let pairs = self.compassion.iter().map(|pair| [holds(&pair[0]), holds(&pair[1])]);
        (self.fairness.iter().map(holds).collect(), pairs.collect())
    }
    /// The file, without specifications.
    pub(super) fn text(&self) -> String {
        let mut main = String::new();
        let mut module = String::from("MODULE cell(p)\n");
        let inside = self.variables.iter().position(|v| v.instance.is_some());
        for (number, v) in self.variables.iter().enumerate() {
            let text = match v.instance {
                None => &mut main,
                Some(_) if Some(number) == inside => &mut module,
                Some(_) => continue,
            };
            let section = if v.is_input { "IVAR" } else { "VAR" };
            *text += &format!("{section} {} : {};\n", v.name, v.r#type.text());
            if let Some(init) = &v.init {
                let list: Vec<String> = init.iter().map(|value| value.text()).collect();
                *text += &format!("ASSIGN init({}) := {{{}}};\n", v.name, list.join(", "));
            }
            if let Some(next) = &v.next {
                *text += &format!("ASSIGN next({}) := case\n", v.name);
                for (condition, choices) in next {
                    let list: Vec<String> = choices.iter().map(Node::text).collect();
                    let choice =
                        if list.len() == 1 { list[0].clone() } else { format!("{{{}}}", list.join(", ")) };
                    *text += &format!("  {} : {choice};\n", condition.text());
                }
                *text += "esac;\n";
            }
        }
        for (instance, argument) in self.arguments.iter().enumerate() {
            main += &format!("VAR c{instance} : cell({});\n", argument.text());
        }
        for (name, body) in &self.definitions {
            main += &format!("DEFINE {name} := {};\n", body.text());
        }
        for (section, formulas) in [
            ("INIT", &self.initially),
            ("TRANS", &self.steps),
            ("INVAR", &self.always),
            ("FAIRNESS", &self.fairness),
        ] {
            for formula in formulas {
                main += &format!("{section} {};\n", formula.text());
            }
        }
        for [first, second] in &self.compassion {
            main += &format!("COMPASSION ({}, {});\n", first.text(), second.text());
        }
        match inside {
            Some(_) => format!("{module}MODULE main\n{main}"),
            None => format!("MODULE main\n{main}"),
        }
    }
}
