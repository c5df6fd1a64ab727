import { MultiSelect, type MultiSelectProps, Select, type SelectProps } from '@mantine/core'
import { type MouseEvent, useState } from 'react'

/** A searchable select. Enter takes the first match. */
export const SearchSelect = (props: SelectProps) => (
  <Select searchable {...props} {...useFirstChoice(props.selectFirstOptionOnChange)} />
)

/** A searchable multiselect. */
export const SearchMultiSelect = (props: MultiSelectProps) => (
  <MultiSelect searchable {...props} {...useFirstChoice(props.selectFirstOptionOnChange)} />
)

/** Until something is typed, Enter must not change the selection, and a click selects the shown text, so that typing replaces it. */
function useFirstChoice(isReady = true) {
  const [isTyped, setTyped] = useState(false)
  const forget = () => setTyped(false)
  return {
    selectFirstOptionOnChange: isTyped && isReady,
    onInput: () => setTyped(true),
    onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
      if (!isTyped) currentTarget.select()
    },
    onOptionSubmit: forget,
    onDropdownClose: forget,
  }
}
