/** It finds the path, such as `/devices/$guid`, that matches a path of the browser, and the values of its named parts. */
export function pathOf(pathname: string, paths: readonly string[]) {
  const parts = partsOf(pathname)
  for (const path of paths) {
    const wanted = partsOf(path)
    const names: Record<string, string> = {}
    const isSame = ([part, given]: readonly [string, string]) => {
      if (part.startsWith('$')) names[part.slice(1)] = decoded(given)
      return part.startsWith('$') || part === given.toLowerCase()
    }
    if (wanted.length === parts.length && wanted.every((part, index) => isSame([part, parts[index] ?? '']))) {
      return { path, names }
    }
  }
  return undefined
}

const partsOf = (pathname: string) => pathname.split('/').filter((part) => part !== '')

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
