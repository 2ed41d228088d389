import { COMPONENT_MODELS, componentModelById } from '../components/componentModels.ts'
import { DEVICE_MODELS, deviceModelName } from '../devices/models.ts'
import { readPosition } from '../devices/readPosition.ts'
import { distinctTags, isTag, MOST_TAGS } from '../devices/tags.ts'
import type { ComponentModelId, DeviceModelId } from '../ids.ts'
import { type CsvRow, readCsv, writeCsvText } from '../texts/csvText.ts'
import { isOneLine, tidied } from '../texts/nameRule.ts'

export const FILE_COLUMNS = [
  ...['guid', 'name', 'model', 'customer', 'address', 'position', 'serial number', 'tags', 'components'],
] as const
const MOST_FILE_ROWS = 5000

export interface FilePart {
  readonly componentModelId: ComponentModelId
  readonly number: number
}

/** A row as it was read: a column that the file lacks is undefined, and so are parts that nobody names. */
export interface FileRow {
  readonly line: number
  readonly guid?: string
  readonly name?: string
  readonly modelId?: DeviceModelId
  readonly customer?: string
  readonly address?: string
  readonly position?: { readonly latitude: number | null; readonly longitude: number | null }
  readonly attrSerial?: string
  readonly tags?: readonly string[]
  readonly components?: readonly FilePart[]
}

export interface FileProblem {
  readonly line: number
  /** Empty when it is about the whole line. */
  readonly column: string
  readonly reason: string
}

type Cell = Partial<Omit<FileRow, 'line'>> | string

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Each returns what a cell says, or in a sentence why it says nothing. */
const READERS: Readonly<Record<string, (text: string) => Cell>> = {
  guid: (text) => (text === '' ? {} : GUID.test(text) ? { guid: text.toLowerCase() } : 'It is no guid.'),
  name: (text) => (text === '' ? 'It is empty.' : (lineFault(text, 200) ?? { name: text })),
  model: (text) => {
    const model = DEVICE_MODELS.find(({ id, name }) => sameName(name, text) || String(id) === text)
    const names = DEVICE_MODELS.map(({ name }) => name).join(', ')
    return model ? { modelId: model.id } : `“${text}” is no model. Models are: ${names}.`
  },
  customer: (text) => (text === '' ? {} : { customer: text }),
  address: (text) => lineFault(text, 500) ?? { address: text },
  position: (text) => {
    if (text === '') return { position: { latitude: null, longitude: null } }
    const position = readPosition(text)
    return position ? { position } : `“${text}” is no position. Write degrees, such as 59.9139, 10.7522.`
  },
  'serial number': (text) => lineFault(text, 200) ?? { attrSerial: text },
  tags: (text) => {
    const tags = distinctTags(text.split(',').map(tidied).filter(Boolean))
    const wrong = tags.find((tag) => !isTag(tag))
    if (wrong !== undefined) return `“${wrong}” is no tag: a tag has 1 to 40 characters.`
    return tags.length > MOST_TAGS ? `A device has at most ${MOST_TAGS} tags.` : { tags }
  },
  components: readParts,
}

function readParts(text: string): Cell {
  if (text === '') return {}
  const parts: FilePart[] = []
  for (const word of text.split(',').map(tidied)) {
    const [, name = '', number = '1'] = /^(.+?)(?:\s+(\d+))?$/.exec(word) ?? []
    const model = COMPONENT_MODELS.find((one) => sameName(one.name, name))
    if (!model) return `“${word}” is no component. Write its model and number, such as UPS 1.`
    if (parts.some((part) => part.componentModelId === model.id && part.number === Number(number)))
      return `“${word}” is named twice.`
    parts.push({ componentModelId: model.id, number: Number(number) })
  }
  return { components: parts }
}

function lineFault(text: string, longest: number): string | undefined {
  if (!text.isWellFormed() || text.includes('\0') || !isOneLine(text)) return 'It has characters that cannot be kept.'
  return text.length > longest ? `It is longer than ${longest} characters.` : undefined
}

const sameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Reads a file of devices. With any problem nothing of it may be taken. */
export function readDeviceFile(text: string): {
  readonly rows: readonly FileRow[]
  readonly problems: readonly FileProblem[]
} {
  const { rows: lines, unclosedLine } = readCsv(text)
  const ofLine = (line: number, reason: string) => ({ rows: [], problems: [{ line, column: '', reason }] })
  if (unclosedLine !== undefined) return ofLine(unclosedLine, 'A quote is opened and never closed.')
  const [head, ...body] = lines
  if (!head || body.length === 0) return ofLine(1, 'The file has no devices.')
  if (body.length > MOST_FILE_ROWS) return ofLine(1, `A file has at most ${MOST_FILE_ROWS} devices.`)
  const columns = head.cells.map((cell) => tidied(cell).toLowerCase())
  const unknown = columns.filter((column, at) => READERS[column] === undefined || columns.indexOf(column) < at)
  if (unknown.length > 0)
    return {
      rows: [],
      problems: unknown.map((column) => ({
        ...{ line: head.line, column },
        reason: `There is no such column, or it is there twice. Columns are: ${FILE_COLUMNS.join(', ')}.`,
      })),
    }
  const problems: FileProblem[] = []
  const rows = body.map((line) => readRow(columns, line, problems))
  return { rows, problems }
}

function readRow(columns: readonly string[], { line, cells }: CsvRow, problems: FileProblem[]): FileRow {
  if (cells.length > columns.length)
    problems.push({ line, column: '', reason: `It has ${cells.length} cells, and the first line ${columns.length}.` })
  let row: FileRow = { line }
  for (const [at, column] of columns.entries()) {
    const cell = READERS[column]?.(tidied(cells[at] ?? '')) ?? {}
    if (typeof cell === 'string') problems.push({ line, column, reason: cell })
    else row = { ...row, ...cell }
  }
  return row
}

export interface WrittenDevice {
  readonly guid: string
  readonly name: string
  readonly modelId: DeviceModelId
  readonly customerName: string
  readonly address: string
  readonly latitude: number | null
  readonly longitude: number | null
  readonly attrSerial: string
  readonly tags: readonly string[]
  readonly components: readonly FilePart[]
}

/** Writes the file that `readDeviceFile` reads back as it was. */
export function writeDeviceFile(devices: readonly WrittenDevice[]): string {
  return writeCsvText([
    FILE_COLUMNS,
    ...devices.map((device) => [
      ...[device.guid, device.name, deviceModelName(device.modelId), device.customerName, device.address],
      device.latitude === null || device.longitude === null
        ? ''
        : `${plain(device.latitude)}, ${plain(device.longitude)}`,
      device.attrSerial,
      device.tags.join(', '),
      device.components.map(partText).join(', '),
    ]),
  ])
}

/** Small numbers would be written with an exponent; ten decimals are less than a millimetre. */
const plain = (degrees: number) =>
  String(Number(degrees.toFixed(10))).includes('e') ? degrees.toFixed(10) : String(Number(degrees.toFixed(10)))

const partText = ({ componentModelId, number }: FilePart) =>
  `${componentModelById(componentModelId)?.name ?? componentModelId} ${number}`
