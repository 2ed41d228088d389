import { cloneElement, type ReactElement, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { noticesLandmark } from './noticesLandmark.ts'
import './Hint.css'

const SHOWN_AFTER_MS = 300
const APART_PX = 5
const EDGE_PX = 5

interface HintedProps {
  onPointerEnter?: () => void
  onPointerLeave?: () => void
  onFocus?: () => void
  onBlur?: () => void
  'aria-describedby'?: string | undefined
}

interface Props {
  readonly label: string
  readonly isBeside?: boolean
  readonly isOff?: boolean
  readonly children: ReactElement<HintedProps>
}

/** A hint explains what the pointer rests on, or what the focus reached by key. */
export function Hint({ label, isBeside = false, isOff = false, children }: Props) {
  const [of, setOf] = useState<Element>()
  const id = useId()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const hide = () => {
    clearTimeout(timer.current)
    setOf(undefined)
  }
  const showSoon = (event?: { readonly currentTarget: Element }) => {
    const target = event?.currentTarget
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOf(target), SHOWN_AFTER_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const isShown = of?.isConnected === true && !isOff
  return (
    <>
      {cloneElement(children, {
        onPointerEnter: showSoon,
        onPointerLeave: hide,
        onFocus: ((event: { readonly currentTarget: Element }) => {
          if (event.currentTarget.matches(':focus-visible')) showSoon(event)
        }) as () => void,
        onBlur: hide,
        ...(isShown ? { 'aria-describedby': id } : {}),
      })}
      {isShown && createPortal(<Bubble id={id} of={of} isBeside={isBeside} label={label} />, noticesLandmark())}
    </>
  )
}

interface BubbleProps {
  readonly id: string
  readonly of: Element
  readonly isBeside: boolean
  readonly label: string
}

function Bubble({ id, of, isBeside, label }: BubbleProps) {
  const bubble = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!bubble.current) return
    const { left, right, top, bottom, width, height } = of.getBoundingClientRect()
    const { offsetWidth, offsetHeight, style } = bubble.current
    const most = window.innerWidth - offsetWidth - EDGE_PX
    const above = top - offsetHeight - APART_PX
    const x = isBeside ? right + APART_PX : Math.max(EDGE_PX, Math.min(most, left + (width - offsetWidth) / 2))
    const y = isBeside ? top + (height - offsetHeight) / 2 : above > EDGE_PX ? above : bottom + APART_PX
    style.translate = `${x}px ${y}px`
  }, [of, isBeside])
  return (
    <div ref={bubble} className="hint" role="tooltip" id={id}>
      {label}
    </div>
  )
}
