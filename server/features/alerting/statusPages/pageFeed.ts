import { createHash } from 'node:crypto'
import { publicTitle } from '#domain/statusPages/pageLabels.ts'
import { shownText } from '#server/notifications/pageFrame.ts'
import type { DrawnPage } from './pageHtml.ts'
import type { FoundPage, ShownIncident, ShownWork } from './pageReading.store.ts'

interface Entry {
  readonly id: string
  readonly title: string
  readonly published: string
  readonly updated: string
  readonly lines: readonly string[]
}

export interface Feed {
  readonly xml: string
  readonly updated: Date
}

/** Writes an Atom feed (RFC 4287). Entries keep their ids when the page's address changes. */
export function pageFeed({ page, content, path }: Omit<DrawnPage, 'now'>, publicUrl: string): Feed {
  const entries = [
    ...content.incidents.map((incident) => incidentEntry(page, incident)),
    ...content.work.map((work) => workEntry(page, work)),
  ].toSorted((one, other) => Date.parse(other.updated) - Date.parse(one.updated))
  const updated = new Date(Math.max(page.updatedAt.getTime(), ...entries.map((entry) => Date.parse(entry.updated))))
  const address = shownText(`${publicUrl}${path}`)
  const xml = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${idOf(page, 'feed')}</id><title>${shownText(page.title)}</title><updated>${updated.toISOString()}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${address}/feed.atom"/>`,
    `<link rel="alternate" type="text/html" href="${address}"/>`,
    `<author><name>${shownText(page.title)}</name></author>`,
    ...entries.map((entry) => entryXml(entry, address)),
    '</feed>',
    '',
  ].join('\n')
  return { xml, updated }
}

const entryXml = ({ id, title, published, updated, lines }: Entry, address: string) =>
  `<entry><id>${id}</id><title>${shownText(title)}</title><published>${published}</published><updated>${updated}</updated>` +
  `<link rel="alternate" type="text/html" href="${address}"/><content type="text">${lines.map(shownText).join('\n')}</content></entry>`

const iso = (moment: string) => new Date(moment).toISOString()

function incidentEntry(page: FoundPage, incident: ShownIncident): Entry {
  const { id, fieldId, deviceCount, deviceName, began, acknowledged, over } = incident
  const title = publicTitle(fieldId, deviceCount, deviceName)
  const moments = [began, acknowledged, over].filter((moment) => moment !== null).map((moment) => Date.parse(moment))
  return {
    id: idOf(page, `incident ${id}`),
    title: over === null ? title : `Resolved: ${title}`,
    published: iso(began),
    updated: new Date(Math.max(...moments)).toISOString(),
    lines: [
      `Began at ${iso(began)}.`,
      ...(acknowledged === null ? [] : [`Acknowledged at ${iso(acknowledged)}.`]),
      ...(over === null ? [] : [`Resolved at ${iso(over)}.`]),
    ],
  }
}

function workEntry(page: FoundPage, { id, reason, from, to }: ShownWork): Entry {
  // Nobody outside needs to know when the work was planned, so the entry has the date of the page.
  const known = page.updatedAt.toISOString()
  return {
    id: idOf(page, `work ${id} ${iso(from)}`),
    title: `Planned work: ${reason}`,
    published: known,
    updated: known,
    lines: [`From ${iso(from)} to ${iso(to)}.`],
  }
}

/** Makes a UUID from a name (RFC 9562, version 8), so that the same entry always has the same id. */
function idOf({ feedSalt }: FoundPage, name: string): string {
  const hex = createHash('sha256').update(`${feedSalt} ${name}`).digest('hex')
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
