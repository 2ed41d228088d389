import { isProduct, type Module } from './project.ts'
import type { ArchitectureRule, Offence } from './rule.ts'
import { child, type Node, nameOf, walk } from './syntax.ts'

/** A function of `own` lines fills a screen; `whole` counts the functions in it too, which hold its variables. */
const LONGEST = { own: 60, whole: 80 }
const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/
const NAMED = /^(VariableDeclarator|Property|MethodDefinition|PropertyDefinition)$/

export const functionRule: ArchitectureRule = {
  name: 'short-functions',
  why: `a function has at most ${LONGEST.own} lines of its own, and in the product ${LONGEST.whole} with the functions in it: what it does is seen without scrolling, and who changes its variables too`,
  offences: ({ modules }) => modules.flatMap(longFunctions),
}

function longFunctions(module: Module): readonly Offence[] {
  const lines = new Map<Node, { name: string; own: number; whole: number }>()
  const holders = new Map<Node, Node | undefined>()
  walk(module.program, (node, parent) => {
    const outer = parent === undefined ? undefined : FUNCTION.test(parent.type) ? parent : holders.get(parent)
    holders.set(node, outer)
    if (!FUNCTION.test(node.type)) return
    const length = linesOf(module, node)
    lines.set(node, { name: nameOf(child(node, 'id')) ?? nameOfHolder(parent), own: length, whole: length })
    const around = outer === undefined ? undefined : lines.get(outer)
    if (around !== undefined) around.own -= length - 1
  })
  return [...lines].flatMap(([node, { name, own, whole }]) => {
    const isWholeLong = whole > LONGEST.whole && isProduct(module)
    const what = own > LONGEST.own ? `${own} lines of its own` : isWholeLong ? `${whole} lines` : undefined
    return what === undefined ? [] : [{ path: module.path, line: module.lineOf(node), what: `${name} has ${what}` }]
  })
}

const linesOf = ({ lineOf }: Module, node: Node) => lineOf({ start: Number(node.end) - 1 }) - lineOf(node) + 1

function nameOfHolder(parent: Node | undefined): string {
  const holder = parent !== undefined && NAMED.test(parent.type) ? parent : undefined
  return nameOf(child(holder, 'id')) ?? nameOf(child(holder, 'key')) ?? 'a function'
}
