import type { FoundPart } from '#device/hardware/discovery/discoverParts.ts'
import { writeDurably } from '#device/launcher/durable.ts'
import { readConfiguration, readJson } from '../store/configuration.ts'

/** Adds parts to the device's own file. Those that it names stay as they are. @returns the parts that were added */
export function addComponents(file: string, parts: readonly FoundPart[]): readonly string[] {
  // A file that the client would not read is left alone.
  const { components } = readConfiguration(file)
  const added = parts.filter(({ part }) => !components.has(part))
  if (added.length === 0) return []
  const content = readJson(file) as { readonly components?: object }
  const more = Object.fromEntries(added.map(({ part, driver, options }) => [part, { driver, ...options }]))
  const all = { ...content, components: { ...content.components, ...more } }
  writeDurably(file, `${JSON.stringify(all, undefined, 2)}\n`)
  return added.map(({ part }) => part)
}

/** Lets the console choose addresses of this network, beside those that the file allows already. */
export function allowNetwork(file: string, network: string): void {
  const { allowedNetworks } = readConfiguration(file)
  const content = readJson(file) as object
  const all = { ...content, allowedNetworks: [...new Set([...allowedNetworks, network])] }
  writeDurably(file, `${JSON.stringify(all, undefined, 2)}\n`)
}
