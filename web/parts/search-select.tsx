import { MultiSelect, type MultiSelectProps, Select, type SelectProps } from '@mantine/core'
import { useState } from 'react'

/** One of many choices, found by typing. Enter takes the first choice that fits what was typed. */
export const SearchSelect = (props: SelectProps) => (
  <Select searchable {...props} {...useFirstChoice(props.selectFirstOptionOnChange)} />
)

/** Several of many choices, found in the same way. */
export const SearchMultiSelect = (props: MultiSelectProps) => (
  <MultiSelect searchable {...props} {...useFirstChoice(props.selectFirstOptionOnChange)} />
)

/** Before anything is typed the chosen one stays selected: Enter must not change it. */
function useFirstChoice(isReady = true) {
  const [isTyped, setTyped] = useState(false)
  const forget = () => setTyped(false)
  return {
    selectFirstOptionOnChange: isTyped && isReady,
    onInput: () => setTyped(true),
    onOptionSubmit: forget,
    onDropdownClose: forget,
  }
}
