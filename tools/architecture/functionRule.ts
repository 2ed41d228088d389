import type { Module } from './project.ts'
import type { ArchitectureRule, Offence } from './rule.ts'
import { child, type Node, nameOf, walk } from './syntax.ts'

/** A function of this many lines fills a screen. */
const LONGEST = 60
const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/
const NAMED = /^(VariableDeclarator|Property|MethodDefinition|PropertyDefinition)$/

export const functionRule: ArchitectureRule = {
  name: 'short-functions',
  why: `a function has at most ${LONGEST} lines of its own: what it does is seen without scrolling (functions in it count by themselves)`,
  offences: ({ modules }) => modules.flatMap(longFunctions),
}

function longFunctions(module: Module): readonly Offence[] {
  const lines = new Map<Node, { name: string | undefined; own: number }>()
  const holders = new Map<Node, Node | undefined>()
  walk(module.program, (node, parent) => {
    const outer = parent === undefined ? undefined : FUNCTION.test(parent.type) ? parent : holders.get(parent)
    holders.set(node, outer)
    if (!FUNCTION.test(node.type)) return
    const length = linesOf(module, node)
    lines.set(node, { name: nameOf(child(node, 'id')) ?? nameOfHolder(parent), own: length })
    const around = outer === undefined ? undefined : lines.get(outer)
    if (around !== undefined) around.own -= length - 1
  })
  return [...lines]
    .filter(([, { own }]) => own > LONGEST)
    .map(([node, { name, own }]) => ({
      path: module.path,
      line: module.lineOf(node),
      what: `${name ?? 'a function'} has ${own} lines of its own`,
    }))
}

const linesOf = ({ lineOf }: Module, node: Node) => lineOf({ start: Number(node.end) - 1 }) - lineOf(node) + 1

function nameOfHolder(parent: Node | undefined): string | undefined {
  if (parent === undefined || !NAMED.test(parent.type)) return undefined
  return nameOf(child(parent, 'id')) ?? nameOf(child(parent, 'key'))
}
