interface Props {
  readonly name: string
  readonly isChosen: boolean
  readonly isDisabled?: boolean
  readonly onChange: () => void
}

/** It looks like the kit's checkbox, which would draw six elements in each of a hundred rows. */
export const RowTick = ({ name, isChosen, isDisabled = false, onChange }: Props) => (
  <input
    type="checkbox"
    className="row-tick"
    aria-label={name}
    checked={isChosen}
    disabled={isDisabled}
    onChange={onChange}
  />
)
