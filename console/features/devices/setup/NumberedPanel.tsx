import { SegmentedControl } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { sectionAnchor } from '#console/lib/sectionAnchor.ts'
import { useLocation } from '#console/router/Router.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { Numbered } from './read/setupSections.ts'

interface NumberedPanelProps<Item extends Numbered> {
  readonly title: string
  readonly kind: string
  readonly items: readonly Item[]
  readonly children: (item: Item) => ReactNode
}

export function NumberedPanel<Item extends Numbered>({ title, kind, items, children }: NumberedPanelProps<Item>) {
  const { anchor } = useLocation()
  const [chosen, setChosen] = useState<number>()
  const [followed, setFollowed] = useState('')
  // An address that leads to one of them opens it, once.
  if (anchor !== followed) {
    setFollowed(anchor)
    const named = items.find(({ number }) => sectionAnchor(`${kind}/${number}`) === anchor)
    if (named) setChosen(named.number)
  }
  const shown = items.find(({ number }) => number === chosen) ?? items[0]
  if (!shown) return null
  const choice = items.length > 1 && (
    <SegmentedControl
      size="xs"
      aria-label={title}
      data={items.map(({ number }) => ({ value: String(number), label: `${kind} ${number}` }))}
      value={String(shown.number)}
      onChange={(value) => setChosen(Number(value))}
    />
  )
  return (
    <Panel title={title} isPadded {...(choice ? { meta: choice } : {})}>
      {items.map((item) => (
        <div key={item.number} hidden={item !== shown}>
          {item.label !== '' && <p className="setup-label">{item.label}</p>}
          {children(item)}
        </div>
      ))}
    </Panel>
  )
}
