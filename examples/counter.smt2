; Two loops as Horn clauses:
;
;     x := 0
;     while x < n:  x := x + 1            ; up
;     y := 0
;     while x > 0:  x, y := x - 1, y + 1  ; down
;     assert y = n
;
; Each loop is a predicate, which stands for the states at its head. A model of both is a proof: 0 <= x <= n in the
; first, and x + y = n with x >= 0 in the second.

(set-logic HORN)

(declare-fun up (Int Int) Bool)
(declare-fun down (Int Int Int) Bool)

(assert (forall ((x Int) (n Int))
  (=> (and (= x 0) (>= n 0)) (up x n))))
(assert (forall ((x Int) (n Int))
  (=> (and (up x n) (< x n)) (up (+ x 1) n))))
(assert (forall ((x Int) (n Int))
  (=> (and (up x n) (>= x n)) (down x 0 n))))
(assert (forall ((x Int) (y Int) (n Int))
  (=> (and (down x y n) (> x 0)) (down (- x 1) (+ y 1) n))))
(assert (forall ((x Int) (y Int) (n Int))
  (=> (and (down x y n) (<= x 0) (not (= y n))) false)))

(check-sat)
