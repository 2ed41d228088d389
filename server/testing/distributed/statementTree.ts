import type pg from 'pg'
import { isNode, parsedTree, type TreeNode } from './parsedTree.ts'

const TREE = /^rewritten parse tree/
const EXPLAINED = /^\s*\(*\s*(?:with|select|insert|update|delete|merge|values)\b/i
const CURSOR = /^\s*declare\b[\s\S]*?\bcursor\b[\s\S]*?\bfor\b/i

/**
 * Has PostgreSQL read statements and say how it understands them: which table each name means, and what names something
 * from outside of its brackets. Views are replaced by what they read, and nothing is planned or run.
 */
export async function treeReader(db: pg.Client) {
  let heard: TreeNode | undefined
  db.on('notice', ({ message, detail }) => {
    if (!TREE.test(message ?? '')) return
    const printed = parsedTree(detail ?? message?.slice(message.indexOf('(')) ?? '')
    const query = Array.isArray(printed) ? printed[0] : printed
    // The command that prepares a statement is printed too.
    if (isNode(query) && query.fields.commandType !== '6') heard = query
  })
  await db.query('set debug_print_rewritten = on; set debug_pretty_print = off; set client_min_messages = log')
  return {
    /** @returns undefined for a statement without a tree: one that defines, copies or locks */
    async read(statement: string): Promise<TreeNode | undefined> {
      const text = statement.replace(CURSOR, '')
      if (!EXPLAINED.test(text)) return undefined
      heard = undefined
      await db.query(`prepare law as ${text}`)
      await db.query('deallocate law')
      return heard
    },
  }
}

const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|--[^\n]*|;|[^'";$-]+|[\s\S]/g

/** Splits what was sent in one exchange into its statements. */
export function singleStatements(text: string): readonly string[] {
  const found = ['']
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === ';') found.push('')
    else found[found.length - 1] += token
  }
  return found.filter((each) => each.trim() !== '')
}
