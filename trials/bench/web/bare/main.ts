import { createElement, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

/** As many rows and columns as the list of devices shows. */
const ROWS = 50
const COLUMNS = ['Name', 'Status', 'Now', 'Light', 'Model', 'Customer', 'Place', 'Alerts', 'Last report']

const line = (tag: 'td' | 'th', texts: readonly string[]): ReactNode[] =>
  texts.map((text) => createElement(tag, { key: text }, text))

const row = (_: unknown, index: number) =>
  createElement(
    'tr',
    { key: index },
    line(
      'td',
      COLUMNS.map((column) => `${column} ${index}`),
    ),
  )

const table = createElement(
  'table',
  { id: 'shown' },
  createElement('thead', null, createElement('tr', null, line('th', COLUMNS))),
  createElement('tbody', null, Array.from({ length: ROWS }, row)),
)

const root = document.getElementById('root')
if (root) createRoot(root).render(table)
