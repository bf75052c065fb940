//! Instructions of a template, with a payment before those that read or make values of any size.
//!
//! This is done to what the engine compiles and not in the engine: it has no place where operators could
//! be watched, only filters, functions and methods. What is put before an operator is a filter over its
//! operands as a tuple, which gives the operator the same operands.

use std::collections::BTreeMap;

use minijinja::machinery::{CodeGenerator, Instruction, Instructions, Token, parse, tokenize};
use minijinja::syntax::SyntaxConfig;
use minijinja::{Error, ErrorKind};

/// The filters that pay for operands: any; those of `*`; those of `+`; those of `[]`. No template can write their names.
pub(super) const OPERANDS: &str = "#operands";
pub(super) const FACTORS: &str = "#factors";
pub(super) const SUMMANDS: &str = "#summands";
pub(super) const ITEM: &str = "#item";
/// Says to the engine not to remember which filter a name means.
const UNREMEMBERED: u8 = !0;
/// Bytes that products of constants may have, which are made when a template is read.
const LARGEST_CONSTANTS: u64 = 64 << 20;

/// A compiled template, with its blocks.
pub(super) type CompiledTemplate<'s> = (Instructions<'s>, BTreeMap<&'s str, Instructions<'s>>);

/// Compiles a template.
pub(super) fn compile<'s>(
    name: &'s str,
    source: &'s str,
    syntax: SyntaxConfig,
) -> Result<CompiledTemplate<'s>, Error> {
    check_constants(source, syntax.clone())?;
    let parsed = parse(source, name, syntax)?;
    let mut generator = CodeGenerator::new(name, source);
    generator.compile_stmt(&parsed);
    let (instructions, blocks) = generator.finish();
    let blocks = blocks.into_iter().map(|(name, block)| (name, with_payments(&block)));
    Ok((with_payments(&instructions), blocks.collect()))
}

/// Refuses products of constant texts and lists that are too large: the engine makes them when it
/// compiles a template.
pub(super) fn check_constants(source: &str, syntax: SyntaxConfig) -> Result<(), Error> {
    let (mut all, mut texts, mut product, mut products) = (0_u64, 0_u64, 1_u64, 0_u64);
    for token in tokenize(source, false, syntax) {
        // What is no template is found, with its place, when it is parsed.
        let Ok((token, _)) = token else { return Ok(()) };
        match token {
            Token::Str(text) => texts += text.len() as u64 + 1,
            Token::String(text) => texts += text.len() as u64 + 1,
            Token::BracketOpen | Token::ParenOpen => texts += 1,
            Token::Int(value) => product = product.saturating_mul(value.max(1)),
            Token::Int128(_) | Token::Pow => product = u64::MAX,
            Token::Mul => products += 1,
            Token::VariableEnd | Token::BlockEnd => {
                // Beyond a limit of its own, the engine makes nothing of a product.
                let made = texts.saturating_mul(product).min(100_000_000 * 24);
                all = all.saturating_add(made.saturating_mul(products));
                (texts, product, products) = (0, 1, 0);
            }
            _ => {}
        }
    }
    if all > LARGEST_CONSTANTS {
        let problem = format!("products of constants have up to {all} bytes");
        return Err(Error::new(ErrorKind::SyntaxError, problem));
    }
    Ok(())
}

/// The same instructions with payments, and jumps to where their targets have moved.
fn with_payments<'s>(from: &Instructions<'s>) -> Instructions<'s> {
    let all = || (0..).map_while(|at| from.get(at));
    let mut places = Vec::new();
    let mut place = 0;
    for instruction in all() {
        places.push(place);
        place += 1 + extra(instruction);
    }
    places.push(place);
    let mut to = Instructions::new(from.name(), from.source());
    for (at, instruction) in (0..).zip(all()) {
        let mut add = |instruction| match (from.get_span(at), from.get_line(at)) {
            (Some(span), _) => to.add_with_span(instruction, span),
            (None, Some(line)) => to.add_with_line(instruction, line as u16),
            (None, None) => to.add(instruction),
        };
        if let Instruction::EmitRaw(text) = instruction {
            // What is written by an expression is counted.
            add(Instruction::LoadConst((*text).into()));
            add(Instruction::Emit);
            continue;
        }
        if let Some((operands, filter)) = payment(instruction) {
            add(Instruction::BuildTuple(Some(operands)));
            add(Instruction::ApplyFilter(filter, Some(1), UNREMEMBERED));
            add(Instruction::UnpackList(operands));
        }
        add(relocate(instruction, &places));
    }
    to
}

fn extra(instruction: &Instruction<'_>) -> u32 {
    match instruction {
        Instruction::EmitRaw(_) => 1,
        other => payment(other).map_or(0, |_| 3),
    }
}

/// How many operands an instruction pays for, and by which filter.
fn payment(instruction: &Instruction<'_>) -> Option<(usize, &'static str)> {
    use Instruction as I;
    let arguments = |count: &Option<u16>| {
        count.filter(|&count| count > 0).map(|count| (usize::from(count), OPERANDS))
    };
    match instruction {
        I::Mul => Some((2, FACTORS)),
        I::GetItem => Some((2, ITEM)),
        // The length of what is gone through is counted first.
        I::PushLoop(_) => Some((1, ITEM)),
        I::Slice => Some((4, ITEM)),
        I::Add => Some((2, SUMMANDS)),
        // Keys are compared with all that is in them.
        I::BuildMap(count) if *count > 0 => Some((2 * count, OPERANDS)),
        I::StringConcat
        | I::In
        | I::CompareAndPreserve(_)
        | I::Eq
        | I::Ne
        | I::Gt
        | I::Gte
        | I::Lt
        | I::Lte => Some((2, OPERANDS)),
        // Tests that take no longer for larger values.
        I::PerformTest(
            "defined" | "undefined" | "none" | "string" | "number" | "integer" | "int" | "float"
            | "boolean" | "true" | "false" | "mapping" | "sequence" | "iterable" | "callable"
            | "divisibleby",
            ..,
        ) => None,
        I::PerformTest(_, count, _)
        | I::CallFunction(_, count)
        | I::CallMethod(_, count)
        | I::CallObject(count) => arguments(count),
        I::UnpackLists(count) => Some((*count, OPERANDS)),
        _ => None,
    }
}

/// An instruction with the places that it jumps to.
fn relocate<'s>(instruction: &Instruction<'s>, places: &[u32]) -> Instruction<'s> {
    use Instruction as I;
    let to = |at: &u32| places.get(*at as usize).copied().unwrap_or(*at);
    match instruction {
        I::Iterate(at) => I::Iterate(to(at)),
        I::Jump(at) => I::Jump(to(at)),
        I::JumpIfFalse(at) => I::JumpIfFalse(to(at)),
        I::JumpIfFalseOrPop(at) => I::JumpIfFalseOrPop(to(at)),
        I::JumpIfTrueOrPop(at) => I::JumpIfTrueOrPop(to(at)),
        I::BuildMacro(name, at, flags) => I::BuildMacro(name, to(at), *flags),
        other => other.clone(),
    }
}
