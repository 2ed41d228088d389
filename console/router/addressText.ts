import type { ADDRESSES } from './addresses.ts'
import type { ReadOf, WrittenOf } from './addressFields.ts'

type Addresses = typeof ADDRESSES
export type Path = keyof Addresses

type NamesIn<P extends string> = P extends `${string}$${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : P extends `${string}$${infer Name}`
    ? Name
    : never
export type PathName<P extends Path = Path> = P extends Path ? NamesIn<P> : never

export type ValuesOf<P extends Path> = {
  readonly [Name in keyof Addresses[P]]?: ReadOf<Addresses[P][Name]>
}
export type WrittenValues<P extends Path> = {
  readonly [Name in keyof Addresses[P]]?: WrittenOf<Addresses[P][Name]> | undefined
}
type PathValues<P extends Path> = { readonly [Name in PathName<P>]: string }

/** It is an address of this console from its path to its anchor, as the browser shows it. */
export type Address = string & { readonly __address: true }

/** Anybody may have written the parameters of an address, so they can be anything. */
export type Given = Readonly<Record<string, unknown>>

type Arguments<P extends Path> = [PathName<P>] extends [never]
  ? [values?: WrittenValues<P>, anchor?: string]
  : [values: PathValues<P> & WrittenValues<P>, anchor?: string]

/** It builds an address, such as `address('/devices/$guid/status', { guid, view: 'raw' })`. */
export function address<P extends Path>(path: P, ...[values = {}, anchor]: Arguments<P>): Address {
  const given: Record<string, unknown> = { ...values }
  const filled = path.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const value = String(given[name])
    delete given[name]
    return encodeURIComponent(value)
  })
  return addressOf(filled, given, anchor)
}

export function addressOf(pathname: string, given: Given, anchor?: string): Address {
  return `${pathname}${writeGiven(given)}${anchor ? `#${anchor}` : ''}` as Address
}

/** Values that are more than a word are JSON, so that numbers, records and lists come back as they were. */
export function readGiven(search: string): Given {
  const given: Record<string, unknown> = Object.create(null)
  for (const [name, text] of new URLSearchParams(search)) {
    const value = parsed(text)
    given[name] = name in given ? [given[name], value].flat() : value
  }
  return given
}

export function writeGiven(given: Given): string {
  const entries = Object.entries(withoutAbsent(given)).map(([name, value]) => [name, written(value)])
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
}

export function withoutAbsent(given: Given): Given {
  const isThere = (value: unknown) => value !== undefined && value !== null && value !== ''
  return Object.fromEntries(Object.entries(given).filter(([, value]) => isThere(value)))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A text that would be read as something else is written as JSON. */
function written(value: unknown): string {
  return typeof value === 'string' && parsed(value) === value ? value : JSON.stringify(value)
}
