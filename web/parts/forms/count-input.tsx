import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

interface CountInputProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur'> {
  value: number
  onChange: (count: number) => void
}

/** A whole number, by default from 1. While the box is empty, between two numbers, the first one is still the value. */
export function CountInput({ value, onChange, min = 1, ...rest }: CountInputProps) {
  const [isBlank, setBlank] = useState(false)
  return (
    <NumberInput
      {...rest}
      min={min}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="strict"
      value={isBlank ? '' : value}
      onChange={(typed) => {
        setBlank(typed === '')
        if (typed !== '') onChange(Number(typed))
      }}
      onBlur={() => setBlank(false)}
    />
  )
}
