import { child, children, type Node, nameOf, walk } from './syntax.ts'

export type Link = Readonly<{
  specifier: string
  start: number
  /** The names taken from there; `all` for namespaces, `export *` and `import()`. */
  names: readonly string[] | 'all'
  isTypeOnly: boolean
  isReExport: boolean
  /** `import()` takes it only when it runs. */
  isLate: boolean
}>

export type Exported = Readonly<{ name: string; start: number; isType: boolean }>

const TYPE_DECLARATIONS = ['TSTypeAliasDeclaration', 'TSInterfaceDeclaration']

/** Finds everything that the module takes from others, with types, `export … from` and `import()`. */
export function linksOf(program: Node): readonly Link[] {
  const links: Link[] = []
  walk(program, (node) => {
    const specifier = nameOf(child(node, 'source'))
    if (specifier === undefined) return
    const isLate = node.type === 'ImportExpression'
    const common = { specifier, start: node.start, isReExport: node.type.startsWith('Export'), isLate }
    switch (node.type) {
      case 'ImportDeclaration':
        links.push({ ...common, names: importedNames(node), isTypeOnly: isTypeOnly(node, 'importKind') })
        break
      case 'ExportNamedDeclaration': {
        const names = children(node, 'specifiers').map((each) => nameOf(child(each, 'local')) ?? '')
        links.push({ ...common, names, isTypeOnly: isTypeOnly(node, 'exportKind') })
        break
      }
      case 'ExportAllDeclaration':
        links.push({ ...common, names: 'all', isTypeOnly: node.exportKind === 'type' })
        break
      case 'ImportExpression':
        links.push({ ...common, names: 'all', isTypeOnly: false })
        break
      case 'TSImportType': {
        const qualifier = nameOf(child(node, 'qualifier'))
        links.push({ ...common, names: qualifier === undefined ? 'all' : [qualifier], isTypeOnly: true })
        break
      }
    }
  })
  return links
}

function importedNames(node: Node): readonly string[] | 'all' {
  const specifiers = children(node, 'specifiers')
  if (specifiers.some(({ type }) => type === 'ImportNamespaceSpecifier')) return 'all'
  return specifiers.map((each) =>
    each.type === 'ImportDefaultSpecifier' ? 'default' : (nameOf(child(each, 'imported')) ?? ''),
  )
}

function isTypeOnly(node: Node, kind: 'importKind' | 'exportKind'): boolean {
  const specifiers = children(node, 'specifiers')
  return node[kind] === 'type' || (specifiers.length > 0 && specifiers.every((each) => each[kind] === 'type'))
}

export function exportsOf(program: Node): readonly Exported[] {
  return children(program, 'body').flatMap((node): Exported[] => {
    if (node.type === 'ExportDefaultDeclaration') return [{ name: 'default', start: node.start, isType: false }]
    if (node.type === 'ExportAllDeclaration') {
      const name = nameOf(child(node, 'exported'))
      return name === undefined ? [] : [{ name, start: node.start, isType: false }]
    }
    if (node.type !== 'ExportNamedDeclaration') return []
    const declaration = child(node, 'declaration')
    const isType = node.exportKind === 'type' || TYPE_DECLARATIONS.includes(declaration?.type ?? '')
    const names =
      declaration === undefined ? children(node, 'specifiers').map(exportedName) : declaredNames(declaration)
    return names.map((name) => ({ name, start: node.start, isType }))
  })
}

const exportedName = (specifier: Node) => nameOf(child(specifier, 'exported')) ?? ''

function declaredNames(declaration: Node): string[] {
  const own = nameOf(child(declaration, 'id'))
  if (own !== undefined) return [own]
  return children(declaration, 'declarations').flatMap((each) => boundNames(child(each, 'id')))
}

function boundNames(pattern: Node | undefined): string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [nameOf(pattern) ?? '']
    case 'ObjectPattern':
      return children(pattern, 'properties').flatMap((each) =>
        boundNames(child(each, 'value') ?? child(each, 'argument')),
      )
    case 'ArrayPattern':
      return children(pattern, 'elements').flatMap(boundNames)
    case 'AssignmentPattern':
      return boundNames(child(pattern, 'left'))
    case 'RestElement':
      return boundNames(child(pattern, 'argument'))
    default:
      return []
  }
}
