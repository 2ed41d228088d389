import { isProduct, type Module } from './project.ts'
import type { ArchitectureRule, Offence } from './rule.ts'
import { child, children, type Node, nameOf, walk } from './syntax.ts'

const namesAreLinks: ArchitectureRule = {
  name: 'names-are-links',
  why: 'the strong cell of a row names its record: it is a link (`to`), so that Ctrl, the middle button and "copy link" work, or says that the record has no page (`hasNoPage`)',
  offences: ({ modules }) =>
    modules.filter((module) => isProduct(module) && module.path.startsWith('console/')).flatMap(namesWithoutLink),
}

function namesWithoutLink(module: Module): readonly Offence[] {
  const found: Offence[] = []
  walk(module.program, (node) => {
    if (node.type !== 'ObjectExpression' || !has(node, 'isStrong')) return
    // Strong numbers are at the right.
    if (['to', 'hasNoPage', 'isRight'].some((name) => has(node, name)) || drawsLink(node)) return
    found.push({ path: module.path, line: module.lineOf(node), what: 'has a strong column that is no link' })
  })
  return found
}

/** A spread may bring the link with it. */
const has = (object: Node, name: string): boolean =>
  children(object, 'properties').some((one) =>
    one.type === 'SpreadElement' ? mentions(one, name) : nameOf(child(one, 'key')) === name,
  )

function mentions(node: Node, name: string): boolean {
  let isFound = false
  walk(node, (one) => {
    isFound ||= one.type === 'Property' && nameOf(child(one, 'key')) === name
  })
  return isFound
}

/** A cell may draw its link itself, by `Link` or a component whose name ends so. */
function drawsLink(object: Node): boolean {
  let isFound = false
  walk(object, (one) => {
    isFound ||= one.type === 'JSXIdentifier' && typeof one.name === 'string' && one.name.endsWith('Link')
  })
  return isFound
}

export const TABLE_RULES: readonly ArchitectureRule[] = [namesAreLinks]
