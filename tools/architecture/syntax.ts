/** A node of the syntax tree, typed loosely: rules examine a few shapes only. */
export type Node = Readonly<{ type: string; start: number }> & Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Calls `visit` for the node and each one below it, with the node that holds it. */
export function walk(node: Node, visit: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  visit(node, parent)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, visit, node)
    }
  }
}

export const child = (node: Node | undefined, key: string): Node | undefined => {
  const value = node?.[key]
  return isNode(value) ? value : undefined
}

export const children = (node: Node | undefined, key: string): readonly Node[] => {
  const value = node?.[key]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** Returns the text of an identifier or of a string; undefined for all else. */
export function nameOf(node: Node | undefined): string | undefined {
  const name = node?.type === 'Literal' ? node.value : node?.name
  return typeof name === 'string' ? name : undefined
}

/** Returns `a.b.c` as text, also when written `a['b'].c`; undefined when it holds something else than names. */
export function dottedName(node: Node | undefined): string | undefined {
  if (node?.type === 'Identifier') return nameOf(node)
  if (node?.type === 'MetaProperty') return 'import.meta'
  if (node?.type === 'ChainExpression') return dottedName(child(node, 'expression'))
  if (node?.type !== 'MemberExpression') return undefined
  const [object, property] = [dottedName(child(node, 'object')), nameOf(child(node, 'property'))]
  const isReadable = node.computed !== true || child(node, 'property')?.type === 'Literal'
  return object !== undefined && property !== undefined && isReadable ? `${object}.${property}` : undefined
}
