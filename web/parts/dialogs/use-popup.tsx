import { assignRef } from '@mantine/hooks'
import { type MouseEvent, type Ref, useEffect, useId, useLayoutEffect, useState } from 'react'

/**
 * A menu or a popover of a row, which is mounted when it is first opened: a list has many rows, and a mounted menu takes
 * longer than the rest of its row. The props `button` are for the button that opens it, `popup` for the `Menu` or the
 * `Popover`, and `target` is the child of its target, which stands for the button.
 */
export function usePopup(type: 'menu' | 'dialog') {
  const id = useId()
  const [button, setButton] = useState<HTMLElement>()
  const [opened, setOpened] = useState(false)
  // Mantine returns the focus only from what is mounted before it opens.
  useEffect(() => setOpened(button !== undefined), [button])
  return {
    isOpen: opened,
    close: () => setOpened(false),
    button: {
      id,
      'aria-haspopup': type,
      'aria-expanded': opened,
      // The id that Mantine gives to the dropdown.
      'aria-controls': opened ? `${id}-dropdown` : undefined,
      onClick: ({ currentTarget }: MouseEvent<HTMLElement>) => {
        setButton(currentTarget)
        setOpened(!opened && currentTarget === button)
      },
    },
    popup: button && { id, opened, onChange: setOpened },
    target: button && <StandsFor element={button} />,
  }
}

/** Gives Mantine an element that is rendered elsewhere, as the place of a dropdown and what a click toggles. */
function StandsFor({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useLayoutEffect(() => {
    assignRef(ref, element)
  }, [ref, element])
  return null
}
