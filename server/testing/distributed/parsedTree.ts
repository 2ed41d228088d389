/** One node of the tree that PostgreSQL makes of a statement, as it prints it. */
export interface TreeNode {
  readonly kind: string
  readonly fields: Readonly<Record<string, TreeValue>>
}

export type TreeValue = string | TreeNode | readonly TreeValue[]

const TOKEN = /[(){}]|"(?:\\.|[^"\\])*"|(?:\\.|[^\s(){}\\])+/gs
const NOTHING = '<>'

/** Reads what `debug_print_rewritten` prints. */
export function parsedTree(printed: string): TreeValue {
  const tokens = printed.match(TOKEN) ?? []
  let at = 0

  const value = (): TreeValue => {
    const token = tokens[at++] ?? ''
    if (token === '(') {
      const list: TreeValue[] = []
      while (at < tokens.length && tokens[at] !== ')') list.push(value())
      at += 1
      return list
    }
    return token === '{' ? node() : token.replaceAll(/\\(.)/gs, '$1')
  }

  const node = (): TreeNode => {
    const kind = tokens[at++] ?? ''
    const fields: Record<string, TreeValue> = {}
    while (at < tokens.length && tokens[at] !== '}') {
      const name = (tokens[at++] ?? '').slice(1)
      const values: TreeValue[] = []
      while (at < tokens.length && tokens[at] !== '}' && !tokens[at]?.startsWith(':')) values.push(value())
      fields[name] = values.length === 1 ? (values[0] as TreeValue) : values
    }
    at += 1
    return { kind, fields }
  }

  return value()
}

export const isNode = (value: TreeValue | undefined): value is TreeNode =>
  typeof value === 'object' && !Array.isArray(value)

export const nodeOf = ({ fields }: TreeNode, name: string): TreeNode | undefined => {
  const value = fields[name]
  return isNode(value) ? value : undefined
}

export const listOf = ({ fields }: TreeNode, name: string): readonly TreeValue[] => {
  const value = fields[name]
  return value === undefined || value === NOTHING ? [] : Array.isArray(value) ? value : [value]
}

export const nodesOf = (node: TreeNode, name: string): readonly TreeNode[] => listOf(node, name).filter(isNode)

export const textOf = ({ fields }: TreeNode, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

export const numberOf = (node: TreeNode, name: string): number => Number(textOf(node, name))

/** Yields the nodes right below one, whatever fields and lists they stand in. */
export function* below(value: TreeValue): Generator<TreeNode, void> {
  const inside = isNode(value) ? Object.values(value.fields) : typeof value === 'string' ? [] : value
  for (const each of inside) {
    if (isNode(each)) yield each
    else if (typeof each !== 'string') yield* below(each)
  }
}
