import { SegmentedControl } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { sectionAnchor } from '#console/lib/sectionAnchor.ts'
import { useLocation } from '#console/router/Router.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { Numbered } from '../read/setupSections.ts'

interface ChosenNumber<Item> {
  readonly kind: string
  readonly items: readonly Item[]
  readonly shown: Item | undefined
  readonly choose: (number: number) => void
}

/** An address that leads to one of several displays or sensors opens it, once. */
export function useChosenNumber<Item extends Numbered>(kind: string, items: readonly Item[]): ChosenNumber<Item> {
  const { anchor } = useLocation()
  const [chosen, setChosen] = useState<number>()
  const [followed, setFollowed] = useState('')
  if (anchor !== followed) {
    setFollowed(anchor)
    const named = items.find(({ number }) => sectionAnchor(`${kind}/${number}`) === anchor)
    if (named) setChosen(named.number)
  }
  return { kind, items, shown: items.find(({ number }) => number === chosen) ?? items[0], choose: setChosen }
}

interface NumberedFormsProps<Item> {
  readonly title: string
  readonly of: ChosenNumber<Item>
  readonly children: (item: Item) => ReactNode
}

/** Each display or sensor has a form of its own, which keeps its changes while another one is shown. */
export function NumberedForms<Item extends Numbered>({ title, of, children }: NumberedFormsProps<Item>) {
  const { kind, items, shown, choose } = of
  if (!shown) return null
  const choice = items.length > 1 && (
    <SegmentedControl
      size="xs"
      aria-label={title}
      data={items.map(({ number }) => ({ value: String(number), label: `${kind} ${number}` }))}
      value={String(shown.number)}
      onChange={(value) => choose(Number(value))}
    />
  )
  return (
    <Panel title={title} {...(choice ? { meta: choice } : {})}>
      {items.map((item) => (
        <div key={item.number} hidden={item !== shown}>
          {item.label !== '' && <p className="setup-label">{item.label}</p>}
          {children(item)}
        </div>
      ))}
    </Panel>
  )
}
