import { TextInput, type TextInputProps } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { type ComponentType, type MouseEvent, startTransition, useEffect, useState } from 'react'
import { toasts } from '#console/lib/call/toasts.ts'
import { whenQuiet } from '#console/lib/call/whenQuiet.ts'
import { lazyPart } from '#console/ui/lazyPart.tsx'

/** What a field looks like before it is loaded. Its other properties say what it does then. */
type Looks = Pick<
  TextInputProps,
  | 'label'
  | 'description'
  | 'placeholder'
  | 'error'
  | 'withAsterisk'
  | 'disabled'
  | 'className'
  | 'size'
  | 'w'
  | 'leftSection'
  | 'leftSectionWidth'
  | 'aria-label'
>

interface Opening {
  readonly onDropdownOpen?: (() => void) | undefined
}

interface Later<Props> {
  readonly textOf: (props: Props) => string
  readonly hasList: boolean
  readonly nameOf?: (props: Props) => string
}

/**
 * It loads a field with whatever opens from it after the page's first answers, or when somebody reaches for it. Until
 * then the same box with the same text stands in its place, and passes the focus on.
 */
export function laterField<Props extends Looks & Opening>(
  load: () => Promise<ComponentType<Props>>,
  { textOf, hasList, nameOf }: Later<Props>,
) {
  const Field = lazyPart(load)
  function LaterField(props: Props) {
    const [isHere, setHere] = useState(Field.isHere)
    const [reached, setReached] = useState<'field' | 'list'>()
    const come = async (onTrouble: (trouble: string) => void) => {
      const trouble = await Field.preload()
      if (trouble === undefined) setHere(true)
      else onTrouble(trouble)
    }
    // All fields of a page come together, which is too much for one piece.
    const comeByItself = async () => {
      if ((await Field.preload()) === undefined) startTransition(() => setHere(true))
    }
    // biome-ignore lint/correctness/useExhaustiveDependencies: it is loaded once
    useEffect(() => (isHere ? undefined : whenQuiet(() => void comeByItself())), [])
    // A list that is open from the start tells nobody that it opened, and some ask for their choices then.
    // biome-ignore lint/correctness/useExhaustiveDependencies: it comes once
    useEffect(() => {
      if (isHere && reached === 'list') props.onDropdownOpen?.()
    }, [isHere])
    if (isHere) return <Field {...props} {...begunAs(reached)} />
    const reach = (what: 'field' | 'list') => {
      setReached((before) => (before === 'list' ? before : what))
      void come(toasts.error)
    }
    const press = () => reach(hasList ? 'list' : 'field')
    const pressDown = (event: MouseEvent<HTMLInputElement>) => {
      // Were the box replaced meanwhile, the browser would take the focus from the field, whose list would close.
      event.preventDefault()
      event.currentTarget.focus()
      press()
    }
    return (
      <TextInput
        size="xs"
        {...looksOf(props)}
        {...(nameOf && { 'aria-label': nameOf(props) })}
        value={textOf(props)}
        readOnly
        {...(hasList && SELECT_LOOKS)}
        onFocus={() => reach('field')}
        // The field may arrive before the button is released, and neither box is clicked then.
        onMouseDown={pressDown}
        onClick={press}
        onBlur={() => setReached(undefined)}
      />
    )
  }
  return Object.assign(LaterField, { preload: Field.preload })
}

const SELECT_LOOKS = {
  role: 'combobox',
  'aria-haspopup': 'listbox',
  'aria-expanded': false,
  rightSection: <IconSelector size={14} aria-hidden />,
  rightSectionPointerEvents: 'none',
} as const

const begunAs = (reached: 'field' | 'list' | undefined) => ({
  ...(reached && { autoFocus: true }),
  ...(reached === 'list' && { defaultDropdownOpened: true }),
})

function looksOf({ label, description, placeholder, error, ...props }: Looks): Looks {
  const { withAsterisk, disabled, className, size, w, leftSection, leftSectionWidth, 'aria-label': name } = props
  const box = { className, size, w, leftSection, leftSectionWidth }
  const looks = { label, description, placeholder, error, withAsterisk, disabled, ...box, 'aria-label': name }
  return Object.fromEntries(Object.entries(looks).filter(([, value]) => value !== undefined))
}
