import { Combobox, useCombobox } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { type ComponentProps, type Ref, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { matches } from '../forms/search-box.tsx'
import type { Filter } from './filter.ts'
import classes from './filter-bar.module.css'

interface FilterMenuProps {
  ref: Ref<HTMLButtonElement>
  filters: Filter[]
  /** Shows only an icon, if there are chips. */
  isBare: boolean
  onChoose: (name: string) => void
}

/** A searchable menu of filters. */
export function FilterMenu({ ref, filters, isBare, onChoose }: FilterMenuProps) {
  const [typed, setTyped] = useState('')
  const store = useCombobox({
    onDropdownOpen: () => store.focusSearchInput(),
    onDropdownClose: () => {
      store.resetSelectedOption()
      store.focusTarget()
      setTyped('')
    },
  })
  const choose = (name: string) => {
    store.closeDropdown()
    // The closing menu takes the focus back; the editor must take it afterwards.
    setTimeout(() => onChoose(name))
  }
  const { selectFirstOption, resetSelectedOption } = store
  // Enter chooses the first filter that matches.
  useEffect(() => {
    if (typed === '') resetSelectedOption()
    else selectFirstOption()
  }, [typed, selectFirstOption, resetSelectedOption])
  if (filters.length === 0) return null
  return (
    <Combobox
      store={store}
      width={240}
      position="bottom-start"
      onOptionSubmit={choose}
      shadow="md"
      transitionProps={{ duration: 80 }}
    >
      <Combobox.Target withAriaAttributes={false} targetType="button">
        <AddButton
          ref={ref}
          isBare={isBare}
          isOpen={store.dropdownOpened}
          onClick={() => store.toggleDropdown()}
        />
      </Combobox.Target>
      <Found filters={filters} typed={typed} onType={setTyped} />
    </Combobox>
  )
}

interface AddButtonProps extends ComponentProps<'button'> {
  isBare: boolean
  isOpen: boolean
}

/** `Combobox.Target` adds its own properties to those that are given here. */
function AddButton({ isBare, isOpen, ...rest }: AddButtonProps) {
  const { t } = useTranslation()
  return (
    <button
      {...rest}
      type="button"
      className={classes.add}
      aria-label={t('filters.add')}
      aria-haspopup="listbox"
      aria-expanded={isOpen}
      title={isBare ? t('filters.add') : undefined}
    >
      <IconFilter size={14} stroke={1.7} aria-hidden />
      {!isBare && t('filters.add')}
    </button>
  )
}

interface FoundProps {
  filters: Filter[]
  typed: string
  onType: (text: string) => void
}

/** The search and the filters that match it. */
function Found({ filters, typed, onType }: FoundProps) {
  const { t } = useTranslation()
  const found = filters.filter(({ title }) => matches(typed, title))
  return (
    <Combobox.Dropdown className={classes.menu}>
      <Combobox.Search
        className={classes.find}
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
        aria-label={t('filters.search')}
        placeholder={t('filters.search')}
      />
      <Combobox.Options aria-label={t('filters.add')}>
        {found.map(({ name, title }) => (
          <Combobox.Option key={name} value={name} className={classes.option} title={title}>
            {title}
          </Combobox.Option>
        ))}
        {found.length === 0 && <Combobox.Empty>{t('app.nothing')}</Combobox.Empty>}
      </Combobox.Options>
    </Combobox.Dropdown>
  )
}
