import { isProduct, type Module } from './project.ts'
import type { ArchitectureRule, Offence } from './rule.ts'
import { child, nameOf, walk } from './syntax.ts'

/** The product once had words of its own for these; the second column is what its field calls them. */
const HOUSE_WORDS = {
  Asked: 'Request or Query',
  Deed: 'Action',
  Desk: 'what it does, such as Evaluator or Dispatcher',
  Dice: 'SeededRandom',
  Door: 'Ingress',
  Keeper: 'Recorder',
  Law: 'ArchitectureRule',
  Needs: 'Deps',
  RuleBook: 'ConditionCache',
  Shelf: 'InstalledVersions',
  Teller: 'Publisher',
} as const

const HOUSE_WORD = new RegExp(`(${Object.keys(HOUSE_WORDS).join('|')})s?$`)
const DECLARED =
  /^(VariableDeclarator|FunctionDeclaration|ClassDeclaration|TSInterfaceDeclaration|TSTypeAliasDeclaration)$/

const plainNames: ArchitectureRule = {
  name: 'plain-names',
  why: 'a name is the term of its field: whoever knows MQTT, PostgreSQL or alerting knows what it means',
  offences: ({ modules }) => modules.filter(isProduct).flatMap(houseWordsIn),
}

function houseWordsIn(module: Module): readonly Offence[] {
  const found: Offence[] = []
  walk(module.program, (node) => {
    const name = DECLARED.test(node.type) ? nameOf(child(node, 'id')) : undefined
    const word = HOUSE_WORD.exec(name ?? '')?.[1] as keyof typeof HOUSE_WORDS | undefined
    if (word === undefined) return
    found.push({ path: module.path, line: module.lineOf(node), what: `declares ${name}: say ${HOUSE_WORDS[word]}` })
  })
  return found
}

/** A comment that begins so has mostly no subject and no verb: "Of the token." */
const FRAGMENT =
  /^[\s*]*(Of|By|To|From|As|In|For|Where|With|Without|At|On) (the|a|an|each|every|all|its|those|what|whom|whoever|which|it|them|this|that|one|few|nobody|everybody)\b/

const commentsAreSentences: ArchitectureRule = {
  name: 'comments-are-sentences',
  why: 'a comment is a whole sentence that says why: one that begins with a preposition leaves its reader to guess the rest',
  offences: ({ modules }) => modules.filter((module) => isProduct(module)).flatMap(fragmentsIn),
}

function fragmentsIn({ path, comments, lineOf }: Module): readonly Offence[] {
  return comments
    .filter((comment, index) => !goesOn(comments[index - 1], comment, lineOf) && FRAGMENT.test(comment.value))
    .map((comment) => ({
      path,
      line: lineOf(comment),
      what: `begins a comment with "${comment.value.trim().split('\n')[0]}"`,
    }))
}

/** A line comment below another one goes on with its sentence. */
const goesOn = (before: Comment | undefined, comment: Comment, lineOf: Module['lineOf']) =>
  before?.type === 'Line' && comment.type === 'Line' && lineOf(before) === lineOf(comment) - 1

type Comment = Module['comments'][number]

export const WORD_RULES: readonly ArchitectureRule[] = [plainNames, commentsAreSentences]
