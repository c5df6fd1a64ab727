import { ActionIcon, Menu, type MenuProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePopup } from './use-popup.tsx'

interface RowMenuProps extends Pick<MenuProps, 'position' | 'width' | 'shadow' | 'returnFocus'> {
  /** The name of the button, which has an icon only. */
  label: string
  icon: ReactNode
  /** The size of the button in pixels. */
  size: number
  className: string | undefined
  children: ReactNode
}

/** The menu of a row, which is mounted when it is first opened. */
export function RowMenu({ label, icon, size, className, children, ...menu }: RowMenuProps) {
  const { button, popup, target } = usePopup('menu')
  return (
    <>
      <ActionIcon
        {...button}
        className={className}
        variant="subtle"
        color="gray"
        size={size}
        aria-label={label}
        title={label}
      >
        {icon}
      </ActionIcon>
      {popup && (
        <Menu {...popup} {...menu}>
          <Menu.Target>{target}</Menu.Target>
          <Menu.Dropdown>{children}</Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}
