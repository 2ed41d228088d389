import { foldText } from '#domain/devices/searchText.ts'
import { comparePlaces, type Place } from './mergePages.ts'

export const COLUMNS = ['name', 'address', 'model', 'status', 'connected', 'now', 'alerts', 'lastEvent'] as const
export type Column = (typeof COLUMNS)[number]

export interface MadeUpDevice {
  readonly id: number
  readonly name: string
  readonly address: string
  readonly ranks: Readonly<Record<Exclude<Column, 'name' | 'address'>, number | null>>
}

export interface Order {
  readonly sort: Column
  readonly isDescending: boolean
}

const ZEROS = '0'.repeat(20)

/** As the database orders names (migration 0104): 2 before 10, and Ä beside A. */
export const nameOrder = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[øłđßæœı]/g, (letter) => 'oldsaoi'['øłđßæœı'.indexOf(letter)] ?? letter)
    .replaceAll(/(\d+)/g, `${ZEROS}$1`)
    .replaceAll(/0*(\d{20})(?!\d)/g, '$1')

/** One installation, of which only the lists are there: each is sorted once. */
export class MadeUpCell {
  readonly number: number
  readonly #devices: readonly MadeUpDevice[]
  readonly #texts: readonly string[]
  readonly #sorted = new Map<Column, readonly Place[]>()

  constructor(number: number, devices: readonly MadeUpDevice[]) {
    this.number = number
    this.#devices = devices
    this.#texts = devices.map(({ name, address }) => foldText([name, address]))
  }

  /** @param needle folded text that a device has to contain */
  list({ sort, isDescending }: Order, needle = ''): readonly Place[] {
    const all = this.#sorted.get(sort) ?? this.#sort(sort)
    this.#sorted.set(sort, all)
    const found = needle === '' ? all : all.filter(({ id }) => this.#texts[id - 1]?.includes(needle))
    return isDescending ? found.toReversed() : found
  }

  device(id: number): MadeUpDevice | undefined {
    return this.#devices[id - 1]
  }

  #sort(sort: Column): Place[] {
    const rankOf = ({ address, ranks }: MadeUpDevice) =>
      sort === 'name' ? null : sort === 'address' ? nameOrder(address) : ranks[sort]
    const places = this.#devices.map((device) => ({
      rank: rankOf(device),
      name: nameOrder(device.name),
      id: device.id,
      cell: this.number,
    }))
    return places.sort((one, other) => comparePlaces(one, other, false))
  }
}

/** Returns the rows behind a place, found as an index finds them. */
export function rowsBehind(
  list: readonly Place[],
  after: Place | undefined,
  size: number,
  isDescending: boolean,
): readonly Place[] {
  if (!after) return list.slice(0, size)
  const sought = { ...after, cell: 0 }
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const place = list[middle]
    if (place && comparePlaces({ ...place, cell: 0 }, sought, isDescending) <= 0) low = middle + 1
    else high = middle
  }
  return list.slice(low, low + size)
}

/** Returns every `step`-th place of the first rows. */
export function placesEvery(list: readonly Place[], step: number, upTo: number): readonly Place[] {
  const found: Place[] = []
  for (let at = step - 1; at < Math.min(list.length, upTo); at += step) found.push(list[at] as Place)
  return found
}
