import { ActionIcon, Button, Checkbox, Popover, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { matches } from '../forms/search-box.tsx'
import classes from './column-menu.module.css'

interface ColumnMenuProps {
  /** All columns, visible ones first. */
  offered: { name: string; title: string }[]
  chosen: string[]
  /** undefined resets the columns. */
  onChoose: (names: string[] | undefined) => void
}

/** The number of columns from which the search is shown. */
const MANY = 10

/** Selects and orders the columns of a list. */
export function ColumnMenu(props: ColumnMenuProps) {
  const { t } = useTranslation()
  return (
    <Popover position="bottom-end" trapFocus returnFocus shadow="md" transitionProps={{ duration: 80 }}>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          leftSection={<IconColumns3 size={14} stroke={1.7} aria-hidden />}
        >
          {t('list.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu}>
        <Columns {...props} />
      </Popover.Dropdown>
    </Popover>
  )
}

function Columns({ offered, chosen, onChoose }: ColumnMenuProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const found = offered.filter(({ title }) => matches(typed, title))
  const move = (name: string, by: number) => {
    const at = chosen.indexOf(name)
    onChoose(chosen.toSpliced(at, 1).toSpliced(at + by, 0, name))
  }
  const toggle = (name: string) =>
    onChoose(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])
  return (
    <>
      {offered.length > MANY && (
        <TextInput
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          aria-label={t('list.find_column')}
          placeholder={t('list.find_column')}
          data-autofocus
          className={classes.find}
        />
      )}
      <ul className={classes.columns}>
        {found.map((column) => (
          <Line
            key={column.name}
            {...column}
            at={chosen.indexOf(column.name)}
            last={chosen.length - 1}
            onToggle={() => toggle(column.name)}
            onMove={(by) => move(column.name, by)}
          />
        ))}
        {found.length === 0 && <li className={classes.none}>{t('app.nothing')}</li>}
      </ul>
      <Button variant="subtle" color="gray" size="xs" fullWidth onClick={() => onChoose(undefined)}>
        {t('list.usual_columns')}
      </Button>
    </>
  )
}

interface LineProps {
  title: string
  /** Its position among visible columns; -1 if hidden. */
  at: number
  last: number
  onToggle: () => void
  onMove: (by: 1 | -1) => void
}

function Line({ title, at, last, onToggle, onMove }: LineProps) {
  return (
    <li>
      <Checkbox
        size="xs"
        className={classes.box}
        checked={at >= 0}
        onChange={onToggle}
        label={<span title={title}>{title}</span>}
      />
      {at >= 0 && (
        <>
          <Move up name={title} disabled={at === 0} onMove={() => onMove(-1)} />
          <Move name={title} disabled={at === last} onMove={() => onMove(1)} />
        </>
      )}
    </li>
  )
}

interface MoveProps {
  up?: boolean
  name: string
  disabled: boolean
  onMove: () => void
}

function Move({ up = false, name, disabled, onMove }: MoveProps) {
  const { t } = useTranslation()
  const Arrow = up ? IconArrowUp : IconArrowDown
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={22}
      // Removing or disabling a focused button would lose the keyboard focus.
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onMove}
      aria-label={t(up ? 'list.column_up' : 'list.column_down', { name })}
      title={t(up ? 'list.column_up' : 'list.column_down', { name })}
    >
      <Arrow size={13} aria-hidden />
    </ActionIcon>
  )
}
