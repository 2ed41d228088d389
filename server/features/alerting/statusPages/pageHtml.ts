import { availabilityPercent, NO_MINUTES } from '#domain/darkness/minutes/darkMinutes.ts'
import { availabilityText } from '#domain/darkness/minutes/lightLabels.ts'
import {
  isOfDarkness,
  PUBLIC_LIGHT_WORDS,
  PUBLIC_LIGHTS,
  type PublicLight,
  publicDark,
  publicLight,
  publicSummary,
  publicTitle,
} from '#domain/statusPages/pageLabels.ts'
import { AVAILABILITY_DAYS, PAST_DAYS, placeOf } from '#domain/statusPages/pageRules.ts'
import { nameOrder } from '#domain/units/nameOrder.ts'
import { addDays } from '#domain/units/wallClock.ts'
import { localTime } from '#server/mail/sending/mailTime.ts'
import { framed, shownText } from '#server/notifications/pageFrame.ts'
import type { FoundPage, PageContent, ShownDay, ShownDevice, ShownIncident, ShownWork } from './pageReading.store.ts'

export interface DrawnPage {
  readonly page: FoundPage
  readonly content: PageContent
  /** The path without a slash at its end. */
  readonly path: string
  readonly now: Date
}

/** A place with more displays is collapsed until somebody opens it. */
const MOST_OPEN = 60
/** Shapes and words carry the state as well, because not everybody sees the colours. */
const MARKS: Readonly<Record<PublicLight, string>> = { lit: '●', planned: '○', dark: '■', unknown: '◇' }
const SHORT_DAYS = 30
const byName = nameOrder('en')
/** Only dark displays without an incident count. */
const MOST_DARK_NAMED = 20

const mark = (light: PublicLight) => `<i class="mark ${light}" aria-hidden="true">${MARKS[light]}</i>`
const section = (title: string, body: string, className = '') =>
  `<section${className && ` class="${className}"`}><h2>${title}</h2>${body}</section>`

/** Draws the page as HTML. Every text from outside is escaped. */
export function pageHtml({ page, content, path, now }: DrawnPage): string {
  const zone = content.timeZone ?? 'UTC'
  const at = (moment: Date | string) =>
    `<time datetime="${new Date(moment).toISOString()}">${shownText(localTime(new Date(moment), zone))}</time>`
  const lights = content.devices.map(({ light }) => publicLight(light))
  const [worst = 'unknown'] = PUBLIC_LIGHTS.filter((light) => lights.includes(light))
  const active = content.incidents.filter(({ over }) => over === null)
  const past = content.incidents.filter(({ over }) => over !== null)
  const head =
    (page.mode === 'secret' ? '<meta name="robots" content="noindex,nofollow">' : '') +
    `<link rel="alternate" type="application/atom+xml" title="${shownText(page.title)}" href="${path}/feed.atom">`
  return framed(
    page.title,
    [
      `<header><h1>${shownText(page.title)}</h1><p class="summary">${mark(worst)}<span>${publicSummary(lights)}</span></p>`,
      `<p class="dim">As of ${at(now)}</p>${noteOf(page.note)}</header>`,
      page.severityId === null ? '' : section('Incidents', incidentsOfNow(active, content.devices, at)),
      page.showsPlanned ? section('Planned work', workList(content.work, at)) : '',
      section('Displays', devicesOf(content.devices, lights, page.placePrefix)),
      content.days === null ? '' : section('Availability', availabilityOf(content.days, now)),
      page.severityId === null
        ? ''
        : section(`Incidents of the last ${PAST_DAYS} days`, incidentList(past, at, 'None reported.')),
      section('Stay informed', informedOf(page, path), 'no-print'),
    ].join(''),
    head,
  )
}

const noteOf = (note: string) =>
  note
    .split('\n')
    .map((line) => shownText(line))
    .filter(Boolean)
    .map((line) => `<p>${line}</p>`)
    .join('')

type At = (moment: Date | string) => string

function listOfItems(items: readonly string[], none: string): string {
  if (items.length === 0) return `<p class="dim">${none}</p>`
  return `<ul class="list">${items.map((item) => `<li>${item}</li>`).join('')}</ul>`
}

const incidentList = (incidents: readonly ShownIncident[], at: At, none: string) =>
  listOfItems(
    incidents.map((incident) => incidentOf(incident, at)),
    none,
  )

/**
 * The summary counts every dark display, so each appears in its incident or separately. The page may hide milder
 * incidents, so it never claims that there are none.
 */
function incidentsOfNow(active: readonly ShownIncident[], devices: readonly ShownDevice[], at: At): string {
  const unexplained = devices.filter(({ light, hasIncident }) => publicLight(light) === 'dark' && !hasIncident)
  const rest = unexplained.length - MOST_DARK_NAMED
  const items = unexplained
    .slice(0, MOST_DARK_NAMED)
    .map(({ name, lightSince, lightIsAtLeast }) =>
      item('dark', publicDark(name), [
        ...(lightSince === null ? [] : [`Since ${at(lightSince)}${lightIsAtLeast ? ' or earlier' : ''}`]),
        'It belongs to no incident on this page.',
      ]),
    )
  const more =
    rest > 0
      ? [item('dark', publicDark(`${rest.toLocaleString('en-US')} more display${rest === 1 ? '' : 's'}`), [])]
      : []
  return listOfItems(
    [...active.map((incident) => incidentOf(incident, at)), ...items, ...more],
    'No incidents reported.',
  )
}

const item = (light: PublicLight, title: string, lines: readonly string[]) =>
  `<b>${mark(light)} ${shownText(title)}</b>${lines.map((line) => `<p class="dim">${line}</p>`).join('')}`

function incidentOf(incident: ShownIncident, at: At): string {
  const { fieldId, deviceCount, deviceName, began, acknowledged, over, darkCount } = incident
  const hasLight = over === null && darkCount === 0 && isOfDarkness(fieldId)
  const lines = [
    ...(over === null ? [] : [`Resolved at ${at(over)}`]),
    ...(acknowledged === null ? [] : [`Acknowledged at ${at(acknowledged)}`]),
    `Began at ${at(began)}`,
    ...(hasLight ? ['None of its displays is dark now.'] : []),
  ]
  const title = publicTitle(fieldId, deviceCount, deviceName)
  return over === null ? item(hasLight ? 'lit' : 'dark', title, lines) : item('lit', `Resolved: ${title}`, lines)
}

const displays = (count: number) => `${count.toLocaleString('en-US')} display${count === 1 ? '' : 's'}`

function workList(work: readonly ShownWork[], at: At): string {
  if (work.length === 0) return '<p class="dim">Nothing is planned.</p>'
  const lines = work.map(
    ({ reason, from, to, deviceCount }) =>
      `<li><b>${shownText(reason)}</b><p class="dim">${at(from)} to ${at(to)} · ${displays(deviceCount)}</p></li>`,
  )
  return `<ul class="list">${lines.join('')}</ul>`
}

function countsOf(lights: readonly PublicLight[]): string {
  const items = PUBLIC_LIGHTS.map((light) => ({ light, count: lights.filter((one) => one === light).length }))
    .filter(({ count }) => count > 0)
    .map(
      ({ light, count }) =>
        `<li>${mark(light)} ${count.toLocaleString('en-US')} ${PUBLIC_LIGHT_WORDS[light].toLowerCase()}</li>`,
    )
  return items.length === 0 ? '' : `<ul class="counts">${items.join('')}</ul>`
}

interface Shown {
  readonly name: string
  readonly light: PublicLight
}

function devicesOf(devices: readonly ShownDevice[], lights: readonly PublicLight[], prefix: string): string {
  if (devices.length === 0) return '<p class="dim">There are no displays here yet.</p>'
  const shown = devices.map(({ name, tags }, index) => ({
    name,
    light: lights[index] ?? 'unknown',
    place: placeOf(tags, prefix),
  }))
  const places = [...Map.groupBy(shown, ({ place }) => place)].toSorted(
    ([one], [other]) => Number(one === undefined) - Number(other === undefined) || byName(one ?? '', other ?? ''),
  )
  const isPlaced = places.length > 1 || places[0]?.[0] !== undefined
  return (
    countsOf(lights) +
    places
      .map(([place, own]) => {
        const title = isPlaced ? `<h3>${place === undefined ? 'Elsewhere' : shownText(place)}</h3>` : ''
        const list = listOf(own)
        if (own.length <= MOST_OPEN) return title + list
        const summary = `${displays(own.length)}${countLabel(own)}`
        return `${title}<details><summary>${summary}</summary>${list}</details>`
      })
      .join('')
  )
}

const countLabel = (own: readonly Shown[]) => {
  const dark = own.filter(({ light }) => light === 'dark').length
  return dark === 0 ? '' : `, ${dark.toLocaleString('en-US')} dark`
}

const listOf = (own: readonly Shown[]) =>
  `<ul class="devices">${own
    .map(
      ({ name, light }) =>
        `<li>${mark(light)}<span>${shownText(name)}</span><span class="word">${PUBLIC_LIGHT_WORDS[light]}</span></li>`,
    )
    .join('')}</ul>`

const percentOf = (days: readonly Pick<ShownDay, 'lit' | 'unplanned'>[]) => {
  const sum = { lit: 0, unplanned: 0 }
  for (const { lit, unplanned } of days) {
    sum.lit += lit
    sum.unplanned += unplanned
  }
  return availabilityPercent({ ...NO_MINUTES, ...sum }) ?? null
}

const BAR = 10
const HEIGHT = 44
const SOME_BELOW = 99.5
const MUCH_BELOW = 95

/** Draws a bar for each day, the oldest first; days without data are grey. */
function availabilityOf(days: readonly ShownDay[], now: Date): string {
  const today = now.toISOString().slice(0, 10)
  const byDay = new Map(days.map((day) => [day.day, day]))
  const dates = Array.from({ length: AVAILABILITY_DAYS }, (_, index) => addDays(today, index - AVAILABILITY_DAYS))
  const bars = dates.map((date, index) => {
    const own = byDay.get(date)
    const percent = own ? percentOf([own]) : null
    const kind = percent === null ? 'no' : percent < MUCH_BELOW ? 'much' : percent < SOME_BELOW ? 'some' : ''
    const x = index * BAR
    return `<rect${kind && ` class="${kind}"`} x="${x}" y="0" width="${BAR - 2}" height="${HEIGHT}" rx="1"><title>${date}: ${availabilityText(percent)}</title></rect>`
  })
  const short = percentOf(days.filter(({ day }) => day >= addDays(today, -SHORT_DAYS)))
  const long = percentOf(days)
  const words = `Availability by day over ${AVAILABILITY_DAYS} days, ${availabilityText(long)} in all`
  return (
    `<dl class="figures"><div><dt>${SHORT_DAYS} days</dt><dd>${availabilityText(short)}</dd></div>` +
    `<div><dt>${AVAILABILITY_DAYS} days</dt><dd>${availabilityText(long)}</dd></div></dl>` +
    `<svg class="bars" viewBox="0 0 ${AVAILABILITY_DAYS * BAR - 2} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${words}">${bars.join('')}</svg>` +
    '<p class="dim">Time with light of the time in which light was owed; what is not known counts neither way.</p>'
  )
}

function informedOf({ takesSubscribers }: FoundPage, path: string): string {
  const form = takesSubscribers
    ? `<form method="post" action="${path}/subscribe"><label>E-mail address<input type="email" name="email" required maxlength="254" autocomplete="email"></label><button type="submit">Subscribe by e-mail</button></form><p class="dim">You get an e-mail with a link to confirm, then one when an incident begins, one when it is resolved, and one for planned work. Each has a link to unsubscribe.</p>`
    : ''
  return `${form}<p><a href="${path}/feed.atom">Feed (Atom)</a></p>`
}
