import { Component, type ReactNode } from 'react'

/** Shows the message of an error thrown below it. */
export class Boundary extends Component<{ children: ReactNode }, { message?: string }> {
  override state: { message?: string } = {}
  static getDerivedStateFromError(error: Error): { message: string } {
    return { message: error.message }
  }
  override render(): ReactNode {
    return this.state.message ?? this.props.children
  }
}
