import type { ReactNode } from 'react'
import { useDocumentTitle } from './useDocumentTitle.ts'
import './PageNote.css'

interface PageNoteProps {
  readonly icon: ReactNode
  readonly title: string
  readonly text: string
  readonly children?: ReactNode
}

export function PageNote({ icon, title, text, children }: PageNoteProps) {
  useDocumentTitle(title)
  return (
    <section className="page-note" aria-label={title}>
      {icon}
      <h1>{title}</h1>
      <p>{text}</p>
      {children}
    </section>
  )
}
