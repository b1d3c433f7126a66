/* What the product uses of Preact, its hooks and htm. */
export interface VNode { type: unknown; props: unknown; key: unknown }
export type Child = VNode | string | number | boolean | null | undefined | Child[];
export function html(parts: TemplateStringsArray, ...values: unknown[]): VNode;
export function h(type: unknown, props: object | null, ...children: Child[]): VNode;
export function render(tree: Child, parent: Element): void;
export class Component<P = {}, S = {}> {
  constructor(props?: P);
  props: P;
  state: S;
  setState(change: Partial<S> | ((state: S) => Partial<S>), done?: () => void): void;
  forceUpdate(done?: () => void): void;
  shouldComponentUpdate?(props: P, state: S): boolean;
  componentDidMount?(): void;
  componentDidUpdate?(props: P, state: S): void;
  componentWillUnmount?(): void;
  render(props?: P, state?: S): Child;
}
export interface Ref<T> { current: T }
export interface Context<T> { Provider: unknown; __value?: T }
export function createContext<T>(value: T): Context<T>;
export function useState<T>(start: T | (() => T)): [T, (next: T | ((before: T) => T)) => void];
export function useReducer<T, A>(reduce: (state: T, act: A) => T, start: T): [T, (act: A) => void];
export function useEffect(run: () => void | (() => void), on?: unknown[]): void;
export function useLayoutEffect(run: () => void | (() => void), on?: unknown[]): void;
export function useRef<T>(start: T): Ref<T>;
export function useMemo<T>(make: () => T, on: unknown[]): T;
export function useCallback<T>(call: T, on: unknown[]): T;
export function useContext<T>(context: Context<T>): T;
export function useErrorBoundary(caught?: (fault: unknown) => void): [unknown, () => void];
