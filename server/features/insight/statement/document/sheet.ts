import { fileURLToPath } from 'node:url'
import anyAscii from 'any-ascii'
import PDFDocument from 'pdfkit'

/** The pictures in mails are drawn with the same letters, so they come with the product already. */
const FONT = fileURLToPath(new URL('../../../../mail/chart/IBMPlexSans-Regular-Latin.ttf', import.meta.url))

export const PAGE = { width: 595.28, height: 841.89, margin: 44, bottom: 794 } as const
export const INNER = PAGE.width - 2 * PAGE.margin

export const INK = {
  text: '#16202a',
  dim: '#5a6875',
  rule: '#c9d2da',
  faint: '#e6ebef',
  lit: '#7fb8a0',
  litNow: '#4c947a',
  unplanned: '#c2261d',
  unknown: '#d9c28a',
  planned: '#cfd8e0',
  litInOffTime: '#a9c3d6',
  maintenance: '#8aa2c8',
  away: '#bdb4cf',
} as const

export type Element = PDFKit.PDFStructureElement

export interface Sheet {
  readonly doc: PDFKit.PDFDocument
  readonly root: Element
  /** Replaces letters that the font lacks by plain ones, so that no name has empty boxes. */
  readonly clean: (text: string) => string
}

export interface TextStyle {
  readonly size?: number
  readonly color?: string
  readonly isBold?: boolean
  readonly width?: number
  readonly align?: 'left' | 'right' | 'center'
  /** More than one line; otherwise what does not fit is cut with dots. */
  readonly wraps?: boolean
  readonly link?: string | undefined
}

export function openSheet(title: string): Sheet {
  const doc = new PDFDocument({
    ...{ size: 'A4', tagged: true, pdfVersion: '1.7', lang: 'en', displayTitle: true },
    // A text near the bottom must not open a page by itself.
    margins: { top: PAGE.margin, left: PAGE.margin, right: PAGE.margin, bottom: 0 },
    ...{ font: FONT, info: { Title: title, Creator: 'Wayside' } },
  })
  const root = doc.struct('Document')
  doc.addStructure(root)
  return { doc, root, clean: cleaner(doc) }
}

function cleaner(doc: PDFKit.PDFDocument): Sheet['clean'] {
  const { font } = Reflect.get(doc, '_font') as { font: { hasGlyphForCodePoint(code: number): boolean } }
  const known = new Map<string, string>()
  const letter = (one: string) => {
    const found = known.get(one) ?? (font.hasGlyphForCodePoint(one.codePointAt(0) ?? 0) ? one : anyAscii(one))
    known.set(one, found)
    return found
  }
  return (text) => Array.from(text, letter).join('')
}

/** Writes one piece of text. Heavier letters are the same ones with an outline, since the product has one weight. */
export function write({ doc, clean }: Sheet, text: string, x: number, y: number, style: TextStyle = {}): void {
  const { size = 9, color = INK.text, isBold = false, width, align = 'left', wraps = false, link } = style
  doc.fontSize(size).fillColor(color)
  if (isBold) doc.strokeColor(color).lineWidth(size / 30)
  const shown = wraps || width === undefined ? clean(text) : fitted(doc, clean(text), width)
  const options = { fill: true, stroke: isBold, ...(link !== undefined && { link, underline: false }) }
  if (wraps) {
    doc.text(shown, x, y, { ...options, ...(width !== undefined && { width }) })
    return
  }
  // The library would break lines to align them, which takes longer than all else.
  const room = width === undefined || align === 'left' ? 0 : width - doc.widthOfString(shown)
  doc.text(shown, x + (align === 'center' ? room / 2 : room), y, { ...options, lineBreak: false })
}

function fitted(doc: PDFKit.PDFDocument, text: string, width: number): string {
  if (doc.widthOfString(text) <= width) return text
  let kept = text
  while (kept.length > 1 && doc.widthOfString(`${kept}…`) > width) kept = kept.slice(0, -1)
  return `${kept.trimEnd()}…`
}

/** Draws what readers of the screen pass over: lines, shades, feet of pages. */
export function decorate({ doc }: Sheet, draw: () => void): void {
  doc.markContent('Artifact', { type: 'Layout' })
  draw()
  doc.endMarkedContent()
}

/** Adds a piece of the document's structure, and writes it. */
export function tagged(sheet: Sheet, parent: Element, tag: string, draw: () => void, alt?: string): void {
  const element = sheet.doc.struct(tag, alt === undefined ? {} : { alt }, [draw])
  parent.add(element)
  element.end()
}

export function rule(
  sheet: Sheet,
  y: number,
  { color = INK.rule as string, weight = 0.6, from = PAGE.margin as number, to = PAGE.margin + INNER } = {},
) {
  decorate(sheet, () => {
    sheet.doc.moveTo(from, y).lineTo(to, y).lineWidth(weight).strokeColor(color).stroke()
  })
}
